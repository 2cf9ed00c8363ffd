import { TestObjectStore } from '../../test/support/object-store/object-store';
import { BenchEnvironment, messageIds, setStage, type Stage, timedJob } from '../bench-environment';
import { DelayingProxy } from '../delaying-proxy';
import type { Figure } from '../report';

const MESSAGES = 1_000;
const AVERAGE_BYTES = 40 * 1024;
const STORE_LATENCY_MS = 20;
const READS = 200;
const BUCKET = 'bench-archive';
const MIB = 1024 * 1024;

/** Archiving into an object store 20 ms away, reading mails from it, and exporting them. */
export async function benchObjectStore(environment: BenchEnvironment): Promise<Figure[]> {
  const store = await TestObjectStore.start();
  const proxy = await DelayingProxy.to(store.endpoint, STORE_LATENCY_MS);
  const stage = await setStage(environment, { messages: MESSAGES + 100, averageBytes: AVERAGE_BYTES });
  try {
    const saved = await stage.user.api.put(
      '/api/storage/config',
      store.configuration(BUCKET, { objstoreEndpoint: proxy.url }),
    );
    if (saved.status !== 200)
      throw new Error(`PUT config answered ${saved.status}: ${saved.bytes.toString()}`);
    return [await archive(stage, store), await read(stage), await exportAll(stage)];
  } finally {
    await stage.stop();
    await proxy.close();
  }
}

async function archive(stage: Stage, store: TestObjectStore): Promise<Figure> {
  const ids = await messageIds(stage, MESSAGES);
  stage.service.resetPeak();
  const path = `/api/archive/${stage.accountId}/archive`;
  const { job, seconds } = await timedJob(stage, path, { messageIds: ids });
  const lost = ids.length - (await store.objects(BUCKET, stage.user.id)).length;
  const rate = job.processed / seconds;
  const { peak } = stage.service.memory();
  return {
    work: `archive ${MESSAGES} messages of 40 KB to an object store ${STORE_LATENCY_MS} ms away`,
    measured: `${rate.toFixed(0)} msg/s, ${lost} lost, peak RSS ${peak.toFixed(0)} MiB`,
    budget: 'none lost, < 400 MB; the store itself (Swift, one process) is the limit',
    met: lost === 0 && peak < 381,
  };
}

async function read(stage: Stage): Promise<Figure> {
  const { body } = await stage.user.api.get(`/api/archive/${stage.accountId}/mails?limit=100`);
  const mails = body.mails as { id: string }[];
  const times: number[] = [];
  for (let index = 0; index < READS; index += 1) {
    const startedAt = performance.now();
    const { id } = mails[index % mails.length]!;
    const { status } = await stage.user.api.get(`/api/archive/${stage.accountId}/mails/${id}/eml`);
    if (status !== 200) throw new Error(`reading answered ${status}`);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number): number => times[Math.floor(share * (times.length - 1))]!;
  return {
    work: `read one mail from an object store ${STORE_LATENCY_MS} ms away`,
    measured: `p50 ${quantile(0.5).toFixed(0)} ms, p95 ${quantile(0.95).toFixed(0)} ms`,
    budget: 'p50 ≤ one round trip and 40 ms of the store',
    met: quantile(0.5) <= STORE_LATENCY_MS + 40,
  };
}

async function exportAll(stage: Stage): Promise<Figure> {
  stage.service.resetPeak();
  const startedAt = performance.now();
  const { status, bytes } = await stage.user.api.post(`/api/import/${stage.accountId}/export-mbox`, {});
  if (status !== 200) throw new Error(`export-mbox answered ${status}`);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { peak } = stage.service.memory();
  return {
    work: `export all of it as mbox from an object store ${STORE_LATENCY_MS} ms away`,
    measured: `${(bytes.length / MIB / seconds).toFixed(1)} MiB/s, peak RSS ${peak.toFixed(0)} MiB`,
    budget: 'flat memory, < 400 MB',
    met: peak < 381,
  };
}
