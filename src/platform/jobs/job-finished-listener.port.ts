import type { Transaction } from '../database/transactions';
import type { JobRecord } from './job-record';

/** Notifies people of the end of their jobs; implemented by a feature. */
export abstract class JobFinishedListener {
  /**
   * Part of the transaction that ends the job, so that there is one notification for every job, whatever crashes and
   * however often the job ran. When it throws, what it wrote is undone and the job ends all the same.
   * @param record completed or failed, of a kind whose definition notifies of that; never cancelled
   */
  abstract onFinished(record: JobRecord, transaction: Transaction): Promise<void>;
}
