import { BenchEnvironment, messageIds, setStage, timedJob } from '../bench-environment';
import type { Figure } from '../report';

const MAILS = 1_000;
/** Of the older table; what the newer one leaves is a third. */
const QUOTA_PER_SECOND = 250;

/** Archived mails into another mailbox: the dry run, time and units per mail, and the same again, when all are there. */
export async function benchRestore(environment: BenchEnvironment): Promise<Figure[]> {
  // Lists leave out spam and trash.
  const stage = await setStage(
    environment,
    { messages: MAILS + 100 },
    { PROVIDER_UNITS_PER_SECOND: '100000', PROVIDER_UNITS_PER_MINUTE: '6000000' },
  );
  try {
    const { accountId, user } = stage;
    await timedJob(stage, `/api/archive/${accountId}/archive`, {
      messageIds: await messageIds(stage, MAILS),
    });
    const target = await user.connect('restored-0@sandbox.mailroom.test');
    const path = `/api/restore/${accountId}`;
    const figures: Figure[] = [];
    for (const [work, budget] of [
      ['restore', 'faster than the quota, ≤ 36 units a mail'],
      ['restore of what is there', 'faster than the quota, ≤ 16 units a mail'],
    ] as const) {
      const plan = await timedJob(stage, path, { select: { all: true }, target: { accountId: target } });
      const restoreId = plan.job.result.restoreId as string;
      await stage.sandbox.resetStats();
      const { job, seconds } = await timedJob(stage, `${path}/${restoreId}/start`, undefined);
      const { totalUnits } = await stage.sandbox.stats();
      const [rate, units] = [MAILS / seconds, totalUnits / MAILS];
      figures.push({
        work: `${work}, ${job.processed} mails`,
        measured: `${rate.toFixed(0)} mails/s, ${units.toFixed(1)} units a mail (${(QUOTA_PER_SECOND / units).toFixed(1)} mails/s by quota), dry run ${plan.seconds.toFixed(2)} s`,
        budget,
        met: rate >= QUOTA_PER_SECOND / units && units <= (work === 'restore' ? 36 : 16),
      });
    }
    return figures;
  } finally {
    await stage.stop();
  }
}
