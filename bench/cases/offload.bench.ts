import { BenchEnvironment, messageIds, setStage, type Stage, timedJob } from '../bench-environment';
import type { Figure } from '../report';

const MESSAGES = 10_000;
const COMPARED = 3_000;
/** Lists leave out spam and trash. */
const SURPLUS = 400;
const UNITS_PER_SECOND = 250;
const EVERYTHING_GOES = { starred: true, important: true, unread: true };

interface Planned {
  readonly plan: any;
  readonly planning: number;
}

/** Archives messages and plans to move them. */
async function planned(stage: Stage, messages: number, mode: string): Promise<Planned> {
  const ids = await messageIds(stage, messages);
  await timedJob(stage, `/api/archive/${stage.accountId}/archive`, { messageIds: ids });
  const path = `/api/offload/${stage.accountId}/plans`;
  const startedAt = performance.now();
  const { body } = await stage.user.api.post(path, {
    select: { messageIds: ids },
    mode,
    allow: EVERYTHING_GOES,
  });
  await stage.user.jobEnd(body.jobId as string, 600_000);
  const planning = (performance.now() - startedAt) / 1000;
  return { plan: (await stage.user.api.get(`${path}/${body.planId}`)).body, planning };
}

const confirm = (stage: Stage, { id, digest, offloadable }: any): Promise<{ job: any; seconds: number }> =>
  timedJob(stage, `/api/offload/${stage.accountId}/plans/${id}/confirm`, { digest, count: offloadable });

/** Moving 10,000 messages whose files are read, and as many compared messages as the quota lets through. */
export async function benchOffload(environment: BenchEnvironment): Promise<Figure[]> {
  return [...(await benchFast(environment)), ...(await benchStrict(environment))];
}

async function benchFast(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: MESSAGES + SURPLUS });
  try {
    const { plan, planning } = await planned(stage, MESSAGES, 'fast');
    await stage.sandbox.resetStats();
    const { job, seconds } = await confirm(stage, plan);
    const { calls } = await stage.sandbox.stats();
    const changes = calls['messages.batchModify'] ?? 0;
    const rate = plan.offloadable / seconds;
    return [
      {
        work: `plan an offload of ${plan.offloadable} messages`,
        measured: `${planning.toFixed(1)} s`,
        budget: '≤ 60 s',
        met: planning <= 60,
      },
      {
        work: `offload ${job.result.trashed} messages, fast`,
        measured: `${changes} trash calls, ${rate.toFixed(0)} files/s`,
        budget: '≤ 20 trash calls, ≥ 300 files/s',
        met: changes <= 20 && rate >= 300 && job.result.trashed === plan.offloadable,
      },
    ];
  } finally {
    await stage.stop();
  }
}

async function benchStrict(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(
    environment,
    { messages: COMPARED + SURPLUS, quota: { unitsPerSecond: UNITS_PER_SECOND } },
    {
      PROVIDER_UNITS_PER_SECOND: String(UNITS_PER_SECOND),
      PROVIDER_UNITS_PER_MINUTE: String(UNITS_PER_SECOND * 60),
    },
  );
  try {
    const { plan } = await planned(stage, COMPARED, 'strict');
    // A full bucket would let the first second run at twice the rate.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await stage.sandbox.resetStats();
    const { job, seconds } = await confirm(stage, plan);
    const stats = await stage.sandbox.stats();
    const units = Object.values<number>(stats.units).reduce((sum, count) => sum + count, 0);
    const used = units / (seconds * UNITS_PER_SECOND);
    return [
      {
        work: `offload ${job.result.trashed} messages, strict, at ${UNITS_PER_SECOND} units/s`,
        measured: `${(used * 100).toFixed(1)} % of the units, ${stats.refused ?? 0} refusals`,
        budget: '≥ 95 %, no burst of 429s',
        met: used >= 0.95 && (stats.refused ?? 0) < 5,
      },
    ];
  } finally {
    await stage.stop();
  }
}
