import { BenchEnvironment, messageIds, setStage, timedJob } from '../bench-environment';
import type { Figure } from '../report';

const MESSAGES = 10_000;
/** Lists leave out spam and trash. */
const MAILBOX = 10_400;

/** Each bulk action over 10,000 messages: change calls and time. */
export async function benchBulk(environment: BenchEnvironment): Promise<Figure[]> {
  const stage = await setStage(environment, { messages: MAILBOX });
  try {
    const ids = await messageIds(stage, MESSAGES);
    const label = await stage.user.api.post(`/api/mailbox/${stage.accountId}/labels`, { name: 'Bench' });
    const figures: Figure[] = [];
    for (const action of ['mark_read', 'mark_unread', 'label', 'unlabel', 'archive', 'trash', 'delete']) {
      await stage.sandbox.resetStats();
      const labelId = action.endsWith('label') ? (label.body.id as string) : undefined;
      const { job, seconds } = await timedJob(stage, `/api/mailbox/${stage.accountId}/messages/bulk`, {
        action,
        messageIds: ids,
        labelId,
      });
      const { calls } = await stage.sandbox.stats();
      const changes = (calls['messages.batchModify'] ?? 0) + (calls['messages.batchDelete'] ?? 0);
      const all = Object.values<number>(calls).reduce((sum, count) => sum + count, 0);
      figures.push({
        work: `bulk ${action}, ${job.processed} messages`,
        measured: `${seconds.toFixed(2)} s, ${changes} change calls of ${all}`,
        budget: '≤ 2 s, ≤ 10 change calls',
        met: seconds <= 2 && changes <= 10,
      });
    }
    return figures;
  } finally {
    await stage.stop();
  }
}
