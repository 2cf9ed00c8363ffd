import type { JobContext } from '../jobs/job-definition';

/** What a deletion removed. */
export interface DeletionCounts {
  readonly accounts: number;
  /** Archived mails, and the bytes of their EML files, that there were when the job began. */
  readonly mails: number;
  readonly bytes: number;
  /** Stored and uploaded files removed; a killed process may have removed a batch more. */
  readonly files: number;
  /** Connected mailboxes whose provider could not be told: the grants are useless, but its list still shows them. */
  readonly grantsNotRevoked: number;
}

interface TallyState extends DeletionCounts {
  /** Mails reported as processed. */
  readonly processed: number;
}

/** Counts of a deletion, kept in the job's checkpoints and told in its result however it ends. */
export class DeletionProgress {
  private state: TallyState;
  private readonly isFresh: boolean;

  constructor(private readonly job: JobContext) {
    const saved = job.savedCheckpoint<TallyState>();
    this.isFresh = saved === undefined;
    this.state = saved ?? { accounts: 0, mails: 0, bytes: 0, files: 0, grantsNotRevoked: 0, processed: 0 };
    job.report(this.counts);
  }

  get counts(): DeletionCounts & Readonly<Record<string, number>> {
    const { accounts, mails, bytes, files, grantsNotRevoked } = this.state;
    return { accounts, mails, bytes, files, grantsNotRevoked };
  }

  /** @param archive what there is still to remove: nothing can be added to it any more */
  async begin(archive: { readonly mails: number; readonly bytes: number }): Promise<void> {
    if (this.isFresh) this.state = { ...this.state, ...archive };
    this.job.setTotal(this.state.mails);
    // Batches that were removed after the last checkpoint of a killed attempt.
    this.advance(Math.max(0, this.state.mails - archive.mails - this.state.processed));
    await this.save();
  }

  async mailsRemoved(mails: number, files: number): Promise<void> {
    this.advance(mails);
    await this.add({ files });
  }

  async add(counts: Partial<Pick<DeletionCounts, 'accounts' | 'files' | 'grantsNotRevoked'>>): Promise<void> {
    const { accounts = 0, files = 0, grantsNotRevoked = 0 } = counts;
    this.state = {
      ...this.state,
      accounts: this.state.accounts + accounts,
      files: this.state.files + files,
      grantsNotRevoked: this.state.grantsNotRevoked + grantsNotRevoked,
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
