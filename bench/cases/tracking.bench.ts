import { startSandbox } from '../../sandbox/src/sandbox-server';
import { findTrackers, messageTrackers } from '../../src/privacy/tracking/detection/find-trackers';
import { BenchEnvironment, setStage } from '../bench-environment';
import type { Figure } from '../report';

const PARSED = 2_000;
const SCANNED = 5_000;
const PER_SECOND = 500;
const MEGABYTE = 1024 * 1024;
const WORST_MS = 2_000;

/** How fast messages are looked through, alone and as a job that fetches them, and what hostile ones cost. */
export async function benchTracking(environment: BenchEnvironment): Promise<Figure[]> {
  return [await parsing(), ...hostile(), ...(await scanning(environment))];
}

async function parsing(): Promise<Figure> {
  const sandbox = await startSandbox({ messages: PARSED, rawCacheBytes: 512 * MEGABYTE });
  try {
    const mailbox = sandbox.mailbox();
    const messages = mailbox.ids().map((id) => mailbox.raw(id));
    const bytes = messages.reduce((sum, { length }) => sum + length, 0);
    for (const message of messages.slice(0, 200)) messageTrackers(message);
    const startedAt = performance.now();
    for (const message of messages) messageTrackers(message);
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = messages.length / seconds;
    return {
      work: `trackers of ${messages.length} messages, one thread`,
      measured: `${rate.toFixed(0)} messages/s, ${(bytes / MEGABYTE / seconds).toFixed(0)} MiB/s`,
      budget: `≥ ${PER_SECOND} messages/s`,
      met: rate >= PER_SECOND,
    };
  } finally {
    await sandbox.close();
  }
}

function hostile(): Figure[] {
  const filled = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));
  const documents: readonly [string, string][] = [
    ['`<`', filled('<')],
    ['nested elements', filled('<div style="display:none">')],
    ['ends of elements never opened', filled('</b>')],
    ['attributes', `<img ${filled('a=1 ')}>`],
    ['entities in an attribute', `<img src="${filled('&amp;')}">`],
    ['tiny images', filled('<img src="https://a.example/x/y/z.gif?a=b" width=1 height=1 style="a:b">')],
    ['links', filled('<a href="https://a.example/?utm_source=a&utm_medium=b">')],
  ];
  return documents.map(([what, html]) => {
    const startedAt = performance.now();
    findTrackers(html);
    const ms = performance.now() - startedAt;
    return {
      work: `trackers of 1 MiB of ${what}`,
      measured: `${ms.toFixed(0)} ms`,
      budget: `≤ ${WORST_MS} ms`,
      met: ms <= WORST_MS,
    };
  });
}

/** A scan of a mailbox that is indexed, and the same again. */
async function scanning(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: SCANNED });
  const { user, accountId } = stage;
  const job = async (path: string, body?: object): Promise<number> => {
    const startedAt = performance.now();
    const answer = await user.api.post(path, body);
    const end = await user.jobEnd(answer.body.jobId as string, 600_000);
    if (end.status !== 'completed') throw new Error(`${path}: ${end.status} ${end.error}`);
    return (end.processed / (performance.now() - startedAt)) * 1_000;
  };
  const scan = (): Promise<number> =>
    job(`/api/privacy/${accountId}/tracking/scan`, { maxMessages: SCANNED });
  try {
    await job(`/api/unsubscribe/${accountId}/scan`);
    const figure = (work: string, rate: number): Figure => ({
      work: `${work} of ${SCANNED} messages`,
      measured: `${rate.toFixed(0)} messages/s`,
      budget: '–',
    });
    return [figure('tracking scan', await scan()), figure('the same again', await scan())];
  } finally {
    await stage.stop();
  }
}
