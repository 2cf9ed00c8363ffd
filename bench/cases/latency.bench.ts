import autocannon from 'autocannon';
import { BenchEnvironment, messageIds, setStage } from '../bench-environment';
import { Figure, latency, quantile } from '../report';

const MESSAGES = 5_000;

/** A plain GET under load, and reads while an archive job and a bulk job run. */
export async function benchLatency(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: MESSAGES, averageBytes: 40 * 1024 });
  try {
    const headers = { authorization: `Bearer ${stage.user.api.token}` };
    const url = `${stage.service.url}/api/jobs?limit=1`;
    await autocannon({ url, headers, connections: 16, duration: 3 });
    const load = await autocannon({ url, headers, connections: 16, duration: 10 });

    const ids = await messageIds(stage, MESSAGES);
    const base = `/api/archive/${stage.accountId}`;
    const started = await Promise.all([
      stage.user.api.post(`${base}/archive`, { messageIds: ids }),
      stage.user.api.post(`/api/mailbox/${stage.accountId}/messages/bulk`, {
        action: 'mark_read',
        messageIds: ids,
      }),
    ]);
    const samples: number[] = [];
    let running = true;
    const ends = Promise.all(
      started.map(({ body }) => stage.user.jobEnd(body.jobId as string, 300_000)),
    ).then((jobs) => {
      running = false;
      return jobs;
    });
    while (running) {
      for (const path of [
        `${base}/mails?limit=50`,
        '/api/auth/me',
        '/api/jobs?limit=20',
        `${base}/mails?q=invoice`,
      ]) {
        const startedAt = performance.now();
        const { status } = await stage.user.api.get(path);
        if (status !== 200) throw new Error(`${path} answered ${status}`);
        samples.push(performance.now() - startedAt);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await ends;
    return [
      {
        work: 'plain GET (/api/jobs?limit=1), 16 connections',
        measured: `${load.requests.average.toFixed(0)} req/s, ${load.non2xx} errors, p99 ${load.latency.p99} ms`,
        budget: '≥ 2,400 req/s',
        met: load.requests.average >= 2_400 && load.non2xx === 0,
      },
      {
        work: `read latency while jobs run (${samples.length} reads)`,
        measured: latency(samples),
        budget: 'p99 < 50 ms',
        met: quantile(samples, 0.99) < 50,
      },
    ];
  } finally {
    await stage.stop();
  }
}
