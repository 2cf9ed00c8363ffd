import type { JobContext } from '../../platform/jobs/job-definition';
import type { DamagedMail, PlainMail } from './mail-to-encrypt';
import type { MailPosition } from '../../archive/mails/stored-mails';

/** Most failed mails in the checkpoint, which has only those that later walks meet again. */
const MAX_REMEMBERED = 1_000;

/** The state from which another attempt continues. */
export interface EncryptionCheckpoint {
  /** Salt of the job in Base64, from which every attempt derives the same key. */
  readonly salt: string;
  /** Instant of the database's clock since which mail may have been archived behind the walk. */
  readonly recentSince: string;
  /** Whether the walk covers only mail archived during the first one. */
  readonly repeated: boolean;
  readonly after: MailPosition | null;
  /** Tag of the files of the batch that is being committed, saved before its commit; null between batches. */
  readonly batch: string | null;
  /** Ids of recent mails that could not be encrypted. */
  readonly leftAlone: readonly string[];
  readonly encrypted: number;
  readonly bytes: number;
  /** Number of mails that were encrypted before the job. */
  readonly skipped: number;
  readonly failed: number;
}

/** The numbers of mails by outcome. */
export interface EncryptionResult {
  readonly [count: string]: unknown;
  readonly encrypted: number;
  /** Mails that were encrypted before. */
  readonly skipped: number;
  /** Mails whose files are missing or altered; they are left alone. */
  readonly failed: number;
  /** Size of the encrypted messages. */
  readonly bytes: number;
}

/** The progress of an `EncryptArchivesRun`, and its checkpoints. */
export class EncryptionProgress {
  private readonly leftAlone: Set<string>;

  constructor(
    private state: EncryptionCheckpoint,
    private readonly job: JobContext,
  ) {
    this.leftAlone = new Set(state.leftAlone);
    this.report();
  }

  get salt(): Buffer {
    return Buffer.from(this.state.salt, 'base64');
  }

  get recentSince(): string {
    return this.state.recentSince;
  }

  /** Instant since which the walk covers mail; null during the first walk, which covers all mails. */
  get since(): string | null {
    return this.state.repeated ? this.state.recentSince : null;
  }

  get after(): MailPosition | null {
    return this.state.after;
  }

  /** Tag of the batch that an earlier attempt may have committed without counting it. */
  get batch(): string | null {
    return this.state.batch ?? null;
  }

  get result(): EncryptionResult {
    const { encrypted, skipped, failed, bytes } = this.state;
    return { encrypted, skipped, failed, bytes };
  }

  /** Sets the total of the job. @param plain number of mails that are not encrypted, with those left alone */
  expect(plain: number): void {
    this.job.setTotal(this.state.encrypted + plain);
  }

  isLeftAlone(mail: PlainMail): boolean {
    return this.leftAlone.has(mail.id);
  }

  /** Records that files with this tag are about to be committed. @throws JobInterrupted */
  async beginBatch(tag: string): Promise<void> {
    this.state = { ...this.state, batch: tag };
    await this.save();
  }

  /** Counts mails that have been encrypted and committed, and their bytes. */
  count(mails: number, bytes: number): void {
    this.state = {
      ...this.state,
      encrypted: this.state.encrypted + mails,
      bytes: this.state.bytes + bytes,
    };
    if (mails > 0) this.job.progress({ processed: mails });
    this.report();
  }

  leaveAlone({ plain, problem }: DamagedMail): void {
    this.leftAlone.add(plain.id);
    const remembers = plain.isRecent && this.state.leftAlone.length < MAX_REMEMBERED;
    this.state = {
      ...this.state,
      failed: this.state.failed + 1,
      leftAlone: remembers ? [...this.state.leftAlone, plain.id] : this.state.leftAlone,
    };
    this.job.fail(plain.id, problem);
    this.report();
  }

  /** Records that all mails up to a position are done and counted. */
  recordPosition(after: MailPosition): void {
    this.state = { ...this.state, after, batch: null };
  }

  /** Records that the batch of an earlier attempt has been counted. */
  async recordCountedBatch(): Promise<void> {
    this.state = { ...this.state, batch: null };
    await this.save();
  }

  /** Begins the next walk, over mail archived meanwhile. */
  async beginAgain(): Promise<void> {
    this.state = { ...this.state, repeated: true, after: null };
    await this.save();
  }

  /** @throws JobInterrupted */
  async save(): Promise<void> {
    await this.job.checkpoint(this.state);
  }

  private report(): void {
    this.job.report(this.result);
  }
}
