import { BenchEnvironment, messageIds, setStage, timedJob } from '../bench-environment';
import { cpuPerItem, cpuTimes } from '../cpu-times';
import { compare, REFERENCES } from '../references';
import { against, type Figure } from '../report';

const MESSAGES = 2_000;
const AVERAGE_BYTES = 40 * 1024;
/** Messages a second. */
const GOAL = 400;
const QUOTA_MESSAGES = 1_500;
const UNITS_PER_SECOND = 250;

/** Archiving at full speed: messages a second, memory, losses. */
export async function benchArchive(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: MESSAGES + 100, averageBytes: AVERAGE_BYTES });
  try {
    const ids = await messageIds(stage, MESSAGES);
    const { service, sandbox } = stage;
    service.resetPeak();
    const cpuBefore = cpuTimes(service.pid, sandbox.pid);
    const { job, seconds } = await timedJob(stage, `/api/archive/${stage.accountId}/archive`, {
      messageIds: ids,
    });
    const cpu = cpuPerItem(cpuBefore, cpuTimes(service.pid, sandbox.pid), ids.length);
    const { body } = await stage.user.api.get(`/api/archive/${stage.accountId}/mails?limit=1`);
    const lost = ids.length - (body.total as number);
    const rate = job.processed / seconds;
    const { peak } = service.memory();
    return [
      {
        work: `archive ${MESSAGES} messages of 40 KB, quota off`,
        measured: `${rate.toFixed(0)} msg/s, ${lost} lost, peak RSS ${peak.toFixed(0)} MiB, ${against(rate, GOAL)}; ${cpu}`,
        compared: compare(REFERENCES.archive, rate),
        budget: `≥ ${GOAL} msg/s, none lost, < 400 MB`,
        met: rate >= GOAL && lost === 0 && peak < 381,
      },
    ];
  } finally {
    await stage.stop();
  }
}

/** Archiving against the provider's limit: how much of it is used, and how often the provider had to refuse. */
export async function benchArchiveUnderQuota(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(
    environment,
    { messages: QUOTA_MESSAGES + 100, quota: { unitsPerSecond: UNITS_PER_SECOND } },
    {
      PROVIDER_UNITS_PER_SECOND: String(UNITS_PER_SECOND),
      PROVIDER_UNITS_PER_MINUTE: String(UNITS_PER_SECOND * 60),
    },
  );
  try {
    const ids = await messageIds(stage, QUOTA_MESSAGES);
    // A full bucket would let the first second run at twice the rate.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await stage.sandbox.resetStats();
    const { seconds } = await timedJob(stage, `/api/archive/${stage.accountId}/archive`, { messageIds: ids });
    const stats = await stage.sandbox.stats();
    const units = Object.values<number>(stats.units).reduce((sum, count) => sum + count, 0);
    const used = units / (seconds * UNITS_PER_SECOND);
    return [
      {
        work: `archive ${QUOTA_MESSAGES} messages at ${UNITS_PER_SECOND} units/s`,
        measured: `${(used * 100).toFixed(1)} % of the units, ${stats.refused ?? 0} refusals`,
        budget: '≥ 95 %, no burst of 429s',
        met: used >= 0.95 && (stats.refused ?? 0) < 5,
      },
    ];
  } finally {
    await stage.stop();
  }
}
