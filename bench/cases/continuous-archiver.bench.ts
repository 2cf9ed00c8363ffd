import { setTimeout as sleep } from 'node:timers/promises';
import { BenchEnvironment, setStage, Stage } from '../bench-environment';
import { quantile, type Figure } from '../report';

/** Of the mailbox that is only compared. */
const COMPARED = Number(process.env.BENCH_KEEPER_COMPARED ?? 100_000);
/** Of the mailbox that is compared and copied. */
const MESSAGES = Number(process.env.BENCH_KEEPER_MESSAGES ?? 5_000);
const ARRIVALS = Number(process.env.BENCH_KEEPER_ARRIVALS ?? 30);
/** Between two of them: the whole of a look's interval is met. */
const PAUSE_MS = 4_000;
const LATEST_MS = 120_000;
/** The quota of an older project: 250 units a second, a get costs 5. */
const UNITS_PER_SECOND = 250;
/** Several looks, and what else is asked for every few minutes. */
const IDLE_SECONDS = Number(process.env.BENCH_KEEPER_IDLE_SECONDS ?? 600);
const DAY_SECONDS = 86_400;
/** The provider's count, its labels, and the history that goes with them. */
const HOURLY_UNITS = 4;

/** Continuous archiving: the first comparison and copy of a mailbox, what new mail waits, and what nothing new costs. */
export async function benchContinuousArchiver(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(
    environment,
    { messages: MESSAGES },
    {
      PROVIDER_UNITS_PER_SECOND: String(UNITS_PER_SECOND),
      PROVIDER_UNITS_PER_MINUTE: String(UNITS_PER_SECOND * 60),
    },
  );
  let figures: Figure[];
  try {
    figures = [
      await compare(stage, MESSAGES, 'keep'),
      await fill(stage),
      await arrivals(stage),
      await idle(stage),
    ];
  } finally {
    await stage.stop();
  }
  // Last: its account stays in the database, and would be looked at as well.
  const large = await setStage(environment, { messages: COMPARED });
  try {
    return [...figures, await compare(large, COMPARED, 'watch')];
  } finally {
    await large.stop();
  }
}

const path = ({ accountId }: Stage): string => `/api/archiving/${accountId}`;

async function compare(stage: Stage, messages: number, mode: 'watch' | 'keep'): Promise<Figure> {
  await stage.sandbox.resetStats();
  const startedAt = performance.now();
  const { body } = await stage.user.api.put(path(stage), { mode, exclusions: [] });
  const job = await stage.user.jobEnd(body.jobId as string, 600_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { units } = await stage.sandbox.stats();
  const listed = Number(units['messages.list']);
  return {
    work: `comparison of a ledger with ${messages.toLocaleString('en')} messages`,
    measured: `${seconds.toFixed(1)} s, ${listed} units with labels, ${job.result.messages} messages`,
    budget: '60 s for 100,000, nothing fetched',
    met: job.result.exact && seconds <= Math.max(10, (60 * messages) / 100_000) && !units['messages.get'],
  };
}

async function fill(stage: Stage): Promise<Figure> {
  await stage.sandbox.resetStats();
  let status = await stateOf(stage);
  // The chore starts the job with its next look.
  while (status.copiedAt === null) {
    await sleep(200);
    status = await stateOf(stage);
  }
  const startedAt = performance.now();
  const before = Number((await stage.sandbox.stats()).units['messages.get'] ?? 0);
  while (status.pending > 0) {
    await sleep(200);
    status = await stateOf(stage);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const units = Number((await stage.sandbox.stats()).units['messages.get'] ?? 0) - before;
  const share = units / (UNITS_PER_SECOND * seconds);
  return {
    work: `first copy of ${MESSAGES.toLocaleString('en')} messages at ${UNITS_PER_SECOND} units/s`,
    measured: `${seconds.toFixed(0)} s, ${(100 * share).toFixed(0)} % of the units`,
    budget: '≥ 95 % of the units',
    met: share >= 0.95,
  };
}

async function arrivals(stage: Stage): Promise<Figure> {
  const email = `bench-${MESSAGES}@sandbox.mailroom.test`;
  const waits: number[] = [];
  const all: Promise<void>[] = [];
  const archivedAt = async (subject: string): Promise<number> => {
    for (;;) {
      const query = new URLSearchParams({ q: subject, limit: '1' });
      const { body } = await stage.user.api.get(`/api/archive/${stage.accountId}/mails?${query.toString()}`);
      if (body.total > 0) return performance.now();
      await sleep(250);
    }
  };
  for (let number = 0; number < ARRIVALS; number += 1) {
    const subject = `arrival${number}x${Date.now()}`;
    const raw = `From: a@x.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@x.test>\r\n\r\nHello\r\n`;
    await stage.sandbox.insert(email, [{ raw, labelIds: ['INBOX'], date: Date.now() }]);
    const arrivedAt = performance.now();
    all.push(archivedAt(subject).then((at) => void waits.push(at - arrivedAt)));
    await sleep(PAUSE_MS);
  }
  await Promise.all(all);
  const worst = quantile(waits, 0.99);
  return {
    work: 'new mail until it is in the archive',
    measured: `p50 ${(quantile(waits, 0.5) / 1_000).toFixed(0)} / p99 ${(worst / 1_000).toFixed(0)} s`,
    budget: 'p99 ≤ 2 min',
    met: worst <= LATEST_MS,
  };
}

/** A mailbox with nothing new: what ten minutes of looks come to in a day. */
async function idle(stage: Stage): Promise<Figure> {
  await stage.sandbox.resetStats();
  await sleep(IDLE_SECONDS * 1_000);
  const { units } = await stage.sandbox.stats();
  const { 'history.list': looks = 0, ...others } = units as Record<string, number>;
  const rest = Object.values(others).reduce((sum, each) => sum + each, 0);
  // The rest is asked for every hour, and may or may not have been among it.
  const aDay = (looks * DAY_SECONDS) / IDLE_SECONDS + 24 * Math.max(HOURLY_UNITS, rest);
  return {
    work: 'a mailbox with nothing new',
    measured: `${aDay.toFixed(0)} units a day${rest > 0 ? `, with ${JSON.stringify(others)} besides history` : ''}`,
    budget: '≤ 5,000 units a day',
    met: aDay <= 5_000,
  };
}

const stateOf = async (stage: Stage): Promise<any> => (await stage.user.api.get(path(stage))).body;
