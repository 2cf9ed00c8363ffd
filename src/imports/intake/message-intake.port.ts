import type { JobContext } from '../../common/jobs/job-context';
import { StorageQuotaExceeded } from '../../archive/archive.errors';
import type { HeldMessages } from '../../archive/jobs/message-memory';
import type { ArchiveOwner } from '../../archive/writing/mail-to-archive';

/** A message from elsewhere, on its way into the archive. */
export interface ImportedMessage {
  /** One RFC 5322 message with CRLF line ends, without mbox quoting or separator. */
  readonly raw: Buffer;
  /** How the job's result names it when it cannot be imported, e.g. `message at byte 4096` or `UID 17`. */
  readonly name: string;
  /** The source's labels, as they are shown. */
  readonly labelIds: readonly string[];
  /** The conversation, where the source knows it; else it is found by the message's own headers. */
  readonly threadId: string | null;
  /** When the source received it; only asked for when the message has no usable Date. */
  readonly receivedAt: Date | null;
}

/** What became of a batch. */
export interface IntakeResult {
  readonly imported: number;
  /** Bytes of the imported ones. */
  readonly bytes: number;
  /** In the archive already, or twice in the batch. */
  readonly duplicates: number;
}

export interface IntakeOptions {
  /**
   * For the first batch after a crash: the instant (`now`) at which everything before the batch was archived. What a
   * lost attempt has archived of this very batch since then counts as imported, not as duplicate.
   */
  readonly archivedBefore?: string;
  /** Room for the batch that the caller has had from `room` before it read the messages; the caller closes it. */
  readonly room?: HeldMessages;
}

/** The quota had no room for the rest of a batch; what fitted is archived, and to be counted before the job ends. */
export class QuotaEndedIntake extends StorageQuotaExceeded {
  constructor(readonly taken: IntakeResult) {
    super();
  }
}

/** A batch that has been parsed and waits to be archived; it holds room in memory until it is released. */
export interface PreparedBatch {
  /** Doing it again changes nothing. */
  release(): void;
}

/** Puts messages from elsewhere into the archive: parses, threads, recognises duplicates, writes. */
export abstract class MessageIntake {
  /**
   * Waits for room in the memory for messages, for a batch that is about to be read; to be closed by the caller.
   * @param bytes of the messages
   * @throws the signal's reason
   */
  abstract room(bytes: number, signal: AbortSignal): Promise<HeldMessages>;

  /**
   * Imports a batch (a few hundred messages, a few MiB); doing it again after a crash changes nothing. What the parser
   * cannot make sense of is archived all the same, with its defects.
   * @throws QuotaEndedIntake after the messages that fitted are archived; MailboxAccountGone; what the store throws
   */
  async take(
    owner: ArchiveOwner,
    messages: readonly ImportedMessage[],
    job: Pick<JobContext, 'signal'>,
    options?: IntakeOptions,
  ): Promise<IntakeResult> {
    const prepared = await this.prepare(messages, job, options?.room);
    return this.archive(owner, prepared, job, options);
  }

  /**
   * The first half of `take`, for those who parse a batch while the one before is archived. Waits for room that other
   * jobs hold: a batch that is prepared must be archived or released without waiting for the next.
   * @param room as `IntakeOptions` has it
   */
  abstract prepare(
    messages: readonly ImportedMessage[],
    job: Pick<JobContext, 'signal'>,
    room?: HeldMessages,
  ): Promise<PreparedBatch>;

  /** The second half of `take`; releases the batch, however it ends. */
  abstract archive(
    owner: ArchiveOwner,
    prepared: PreparedBatch,
    job: Pick<JobContext, 'signal'>,
    options?: IntakeOptions,
  ): Promise<IntakeResult>;

  /**
   * The archive's clock, to be stored with each checkpoint and given as `archivedBefore` when the job resumes from it.
   * Batches must then be cut as they were the first time.
   */
  abstract now(): Promise<string>;
}
