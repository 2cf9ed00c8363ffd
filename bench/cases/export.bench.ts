import { request } from 'node:http';
import { BenchEnvironment, messageIds, setStage, Stage, timedJob } from '../bench-environment';
import { cpuTimes } from '../cpu-times';
import { compare, type Reference, REFERENCES } from '../references';
import type { Figure } from '../report';

const MESSAGES = 2_000;
const AVERAGE_BYTES = 40 * 1024;
const MIB = 1024 * 1024;
/** Most of the event loop's time for a mail, in milliseconds: others' requests wait for it. */
const EVENT_LOOP_MS = 0.2;

interface ExportCase {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  /** MB a second that are to be reached. */
  readonly rate: number;
  readonly reference?: Reference;
}

/** Read as cheaply as a client can: web streams would take more of the shared cores than the export does. */
function download(
  stage: Stage,
  path: string,
  body: unknown,
): Promise<{ mib: number; firstByteMs: number; seconds: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${stage.user.api.token}`, 'content-type': 'application/json' };
    const sent = request(`${stage.service.url}${path}`, { method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      let bytes = 0;
      let firstByteMs = 0;
      response.on('data', (chunk: Buffer) => {
        firstByteMs ||= performance.now() - startedAt;
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ mib: bytes / MIB, firstByteMs, seconds: (performance.now() - startedAt) / 1000 }),
      );
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/**
 * ZIP, mbox and mailbox exports of the same mails: throughput, time to the first byte, memory above what was there before,
 * processor time of the event loop and of the worker threads.
 */
export async function benchExport(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, {
    // Some of them lie in spam and trash and are not listed.
    messages: MESSAGES + 200,
    averageBytes: AVERAGE_BYTES,
    latencyMs: 0,
  });
  try {
    await timedJob(stage, `/api/archive/${stage.accountId}/archive`, {
      messageIds: await messageIds(stage, MESSAGES),
    });
    const mailIds: string[] = [];
    for (let page = 1; mailIds.length < MESSAGES; page += 1) {
      const { body } = await stage.user.api.get(
        `/api/archive/${stage.accountId}/mails?limit=100&page=${page}`,
      );
      mailIds.push(...(body.mails as { id: string }[]).map(({ id }) => id));
    }
    const figures: Figure[] = [];
    const exports: ExportCase[] = [
      {
        name: 'ZIP',
        path: `/api/archive/${stage.accountId}/export-zip`,
        body: { mailIds },
        rate: 100,
        reference: REFERENCES.zipExport,
      },
      {
        name: 'mbox',
        path: `/api/import/${stage.accountId}/export-mbox`,
        body: {},
        rate: 200,
        reference: REFERENCES.mboxExport,
      },
      {
        name: 'Maildir',
        path: `/api/archive/${stage.accountId}/export-mailbox`,
        body: { select: { mailIds }, format: 'maildir' },
        rate: 100,
      },
    ];
    for (const { name, path, body, rate, reference } of exports) {
      // Once to warm up, as every later export is.
      await download(stage, path, body);
      stage.service.resetPeak();
      const before = stage.service.memory().now;
      const cpuBefore = cpuTimes(stage.service.pid, stage.sandbox.pid);
      const { mib, firstByteMs, seconds } = await download(stage, path, body);
      const cpu = cpuTimes(stage.service.pid, stage.sandbox.pid);
      const perMail = (who: 'eventLoop' | 'workers'): number => (cpu[who] - cpuBefore[who]) / mailIds.length;
      const growth = stage.service.memory().peak - before;
      figures.push({
        work: `${name} export of ${mib.toFixed(0)} MiB`,
        measured:
          `${(mib / seconds).toFixed(0)} MiB/s, first byte ${firstByteMs.toFixed(0)} ms, RSS +${growth.toFixed(0)} MiB, ` +
          `event loop ${perMail('eventLoop').toFixed(3)}, workers ${perMail('workers').toFixed(3)} ms a mail`,
        compared: reference && compare(reference, (mib / seconds) * 1.048576),
        budget: `≥ ${rate} MB/s, < 50 ms, flat, event loop ≤ ${EVENT_LOOP_MS} ms a mail`,
        met: mib / seconds >= rate * 0.954 && firstByteMs < 50 && perMail('eventLoop') <= EVENT_LOOP_MS,
      });
    }
    return figures;
  } finally {
    await stage.stop();
  }
}
