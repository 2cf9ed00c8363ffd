import type { Transaction } from '../common/database/transactions';
import type { JobRecord } from './job-record';

/** Whoever wants to tell people how their jobs ended; implemented by a feature. */
export abstract class JobFinishedListener {
  /**
   * Part of the transaction that ends the job, so that every job is told of once, whatever crashes and however often
   * it ran. When it throws, what it wrote is undone and the job ends all the same.
   * @param record completed or failed, of a kind whose definition has it announced; never cancelled
   */
  abstract onEnd(record: JobRecord, transaction: Transaction): Promise<void>;
}
