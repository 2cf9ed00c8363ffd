import { newId } from '../../common/database/ids';
import type { JobCompleted } from '../../events/events';
import type { ToldEvent } from '../formats/webhook-request';

/** No kind of job is called that, so that receivers know it for a sample and people read "Webhook test completed". */
const SAMPLE = {
  jobId: 'webhook_test-0',
  type: 'webhook_test',
  status: 'completed',
  accountId: null,
  total: 1,
  processed: 1,
  failed: 0,
  error: null,
} satisfies JobCompleted['data'];

/** A job.completed that did not happen. */
export const sampleEvent = (occurredAt: Date): ToldEvent => ({
  id: newId(),
  type: 'job.completed',
  occurredAt,
  data: SAMPLE,
});
