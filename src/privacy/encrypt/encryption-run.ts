import type { JobContext } from '../../platform/jobs/job-definition';
import type { DamagedMail, PlainMail } from './mail-to-encrypt';
import type { MailPosition } from '../../archive/mails/stored-mails.repository';

/** Failed mails kept in the checkpoint: only those that later walks meet again. */
const MAX_REMEMBERED = 1_000;

/** The state from which another attempt continues. */
export interface EncryptionCheckpoint {
  /** Of the job: every attempt derives the same key. Base64. */
  readonly salt: string;
  /** Mails archived since then may be behind the walk; by the database's clock. */
  readonly recentSince: string;
  /** Whether the walk covers only mail archived during the first one. */
  readonly repeated: boolean;
  readonly after: MailPosition | null;
  /** Tag of the files of the batch that is committed, noted before it is; null between batches. */
  readonly batch: string | null;
  /** Ids of recent mails that could not be encrypted. */
  readonly leftAlone: readonly string[];
  readonly encrypted: number;
  readonly bytes: number;
  /** Encrypted before the job. */
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

/** The progress of one attempt, and its checkpoints. */
export class EncryptionRun {
  private readonly leftAlone: Set<string>;

  constructor(
    private state: EncryptionCheckpoint,
    readonly job: JobContext,
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

  /** null during the first walk, which covers all mails. */
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

  /** @param plain mails that are not encrypted, those left alone included */
  expect(plain: number): void {
    this.job.setTotal(this.state.encrypted + plain);
  }

  isLeftAlone(mail: PlainMail): boolean {
    return this.leftAlone.has(mail.id);
  }

  /** Files with this tag are about to be committed. @throws JobInterrupted */
  async beginBatch(tag: string): Promise<void> {
    this.state = { ...this.state, batch: tag };
    await this.save();
  }

  /** To be called when mails have been encrypted and committed. */
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

  /** To be called when all mails up to a position are done and counted. */
  passed(after: MailPosition): void {
    this.state = { ...this.state, after, batch: null };
  }

  /** The batch of an earlier attempt is counted. */
  async countedBatch(): Promise<void> {
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
