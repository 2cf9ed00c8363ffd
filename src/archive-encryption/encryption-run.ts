import type { JobContext } from '../jobs/job-definition';
import type { DamagedMail, PlainMail } from './mail-to-encrypt';
import type { Position } from './mails-to-encrypt.repository';

/** Failed mails that are remembered over a crash: of those only that later passes meet again. */
const MAX_REMEMBERED = 1_000;

/** Where a job stands: what another attempt goes on from. */
export interface EncryptionCheckpoint {
  /** Of the job: every attempt derives the same key. Base64. */
  readonly salt: string;
  /** Mails archived since then may be behind the walk; the database's clock. */
  readonly recentSince: string;
  /** Whether the walk is one over what was archived while the first went on. */
  readonly repeated: boolean;
  readonly after: Position | null;
  /** Tag of the files of the batch under way, noted before the first of them is written; null between batches. */
  readonly batch: string | null;
  /** Recent mails that were left alone: ids. */
  readonly leftAlone: readonly string[];
  readonly encrypted: number;
  readonly bytes: number;
  /** Encrypted before the job. */
  readonly skipped: number;
  readonly failed: number;
}

/** What became of the mails. */
export interface EncryptionResult {
  readonly [count: string]: unknown;
  readonly encrypted: number;
  /** Mails that were encrypted before. */
  readonly skipped: number;
  /** Mails left as they are: their files are missing or not what was archived. */
  readonly failed: number;
  /** Of the mails encrypted, as messages. */
  readonly bytes: number;
}

/** The progress of one attempt, and its way into the job's row. */
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

  /** null while all mails are walked over. */
  get since(): string | null {
    return this.state.repeated ? this.state.recentSince : null;
  }

  get after(): Position | null {
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

  /** Files with this tag are about to be written. @throws JobInterrupted */
  async beginBatch(tag: string): Promise<void> {
    this.state = { ...this.state, batch: tag };
    await this.save();
  }

  /** Mails were encrypted, and rows name their files. */
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

  /** Everything up to there is done and counted. */
  passed(after: Position): void {
    this.state = { ...this.state, after, batch: null };
  }

  /** The batch of an earlier attempt is counted. */
  async countedBatch(): Promise<void> {
    this.state = { ...this.state, batch: null };
    await this.save();
  }

  /** The next walk is over what was archived meanwhile. */
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
