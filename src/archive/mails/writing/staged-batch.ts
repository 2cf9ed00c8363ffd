/** The two ways in which a staged batch ends. */
export interface StagedBatchEnds<Result, Details> {
  /** Writes the rows. Deletes the files that it does not keep, also when it throws. */
  commit(details: Details): Promise<Result>;
  /** Deletes the files. */
  abandon(): Promise<void>;
}

/**
 * A batch whose files lie in their store, reserved; nothing of it is in the archive yet. It ends once, with its rows or without
 * them, so that a caller can abandon every batch that it has not committed.
 */
export class StagedBatch<Result, Details = void> {
  private isEnded = false;

  constructor(private readonly ends: StagedBatchEnds<Result, Details>) {}

  /** Writes the rows of the batch. */
  async commit(details: Details): Promise<Result> {
    if (this.isEnded) throw new Error('The batch has ended already.');
    this.isEnded = true;
    return this.ends.commit(details);
  }

  /** Deletes the files of a batch that is not committed. It changes nothing once the batch has ended. */
  async abandon(): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    await this.ends.abandon();
  }
}
