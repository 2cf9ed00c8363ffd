import type { JobContext } from '../../platform/jobs/job-definition';

/** Counts of deleted data. */
export interface DeletionCounts {
  readonly accounts: number;
  /** Numbers of archived mails and of bytes of their EML files when the job began. */
  readonly mails: number;
  readonly bytes: number;
  /** Number of deleted archive and upload files; a killed process may have deleted a batch more. */
  readonly files: number;
  /**
   * Number of mailboxes whose provider could not be reached to revoke the grant: it cannot be used, but is still in the
   * provider's list.
   */
  readonly grantsNotRevoked: number;
  /** Number of object stores whose listing has no end, which may hold files that no row names. */
  readonly storesLeft: number;
}

export interface DeletionState extends DeletionCounts {
  /** Number of mails reported as processed. */
  readonly processed: number;
}

/** Counts of a deletion, kept in the job's checkpoints and reported in its result however it ends. */
export class DeletionProgress {
  private state: DeletionState;
  private readonly isFresh: boolean;

  constructor(
    private readonly job: JobContext,
    saved: DeletionState | undefined,
  ) {
    this.isFresh = saved === undefined;
    const none = {
      accounts: 0,
      mails: 0,
      bytes: 0,
      files: 0,
      grantsNotRevoked: 0,
      storesLeft: 0,
      processed: 0,
    };
    this.state = { ...none, ...saved };
    job.report(this.counts);
  }

  get counts(): DeletionCounts & Readonly<Record<string, number>> {
    const { accounts, mails, bytes, files, grantsNotRevoked, storesLeft } = this.state;
    return { accounts, mails, bytes, files, grantsNotRevoked, storesLeft };
  }

  /** @param archive what is still to be deleted; nothing can be added any more */
  async begin(archive: { readonly mails: number; readonly bytes: number }): Promise<void> {
    if (this.isFresh) this.state = { ...this.state, ...archive };
    this.job.setTotal(this.state.mails);
    // Batches that a killed attempt deleted after its last checkpoint.
    this.advance(Math.max(0, this.state.mails - archive.mails - this.state.processed));
    await this.save();
  }

  async addDeletedMails(mails: number, files: number): Promise<void> {
    this.advance(mails);
    await this.add({ files });
  }

  async add(counts: Partial<Omit<DeletionCounts, 'mails' | 'bytes'>>): Promise<void> {
    const { accounts = 0, files = 0, grantsNotRevoked = 0, storesLeft = 0 } = counts;
    this.state = {
      ...this.state,
      accounts: this.state.accounts + accounts,
      files: this.state.files + files,
      grantsNotRevoked: this.state.grantsNotRevoked + grantsNotRevoked,
      storesLeft: this.state.storesLeft + storesLeft,
    };
    await this.save();
  }

  private advance(processed: number): void {
    this.state = { ...this.state, processed: this.state.processed + processed };
    this.job.progress({ processed });
  }

  private save(): Promise<void> {
    this.job.report(this.counts);
    return this.job.checkpoint(this.state);
  }
}
