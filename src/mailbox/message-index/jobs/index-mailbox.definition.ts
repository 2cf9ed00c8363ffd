import { defineJob, Lane } from '../../../common/jobs/job-definition';

/** The account says it all. */
export class IndexMailboxPayload {}

/** Apart from its handler, which is far down the chain of those who start it. */
export const IndexMailbox = defineJob('index_mailbox', {
  lane: Lane.Index,
  payload: IndexMailboxPayload,
  // Nobody asked for it, and what reads the index says when it cannot.
  announced: 'never',
});
