import { Injectable } from '@nestjs/common';
import { StorageQuotaExceeded } from '../mails/archive.errors';
import { type MemoryReservation, MessageBudget } from '../mails/archiving/message-budget';
import { MessageParser } from '../mails/archiving/message-parser';
import type { ArchiveParse } from '../mails/archiving/parse-message.task';
import { ArchiveWriter, type ThreadsOfParsed, type WrittenBatch } from '../mails/writing/archive-writer';
import { arrivalOfFromLine, chooseDates } from '../mails/writing/archive-dates';
import { storableText } from '../mails/writing/mail-to-archive';
import type { ArchiveOwner, MailToArchive } from '../mails/writing/mail-to-archive';
import { StagedBatch } from '../mails/writing/staged-batch';
import type { MailEnvelope } from '../mails/mail-envelope';
import type { RebuiltFrom } from '../mails/rebuilt-from';
import { StoredMail, StoredMails } from '../mails/stored-mails';
import type { JobContext } from '../../platform/jobs/job-definition';
import { ImportThreadsService } from './threading/import-threads.service';
import type { ThreadedMessage } from './threading/message-references';

/** Most characters of a Message-ID: longer ones would not fit the index, and no mail refers to them. */
const MAX_MESSAGE_ID = 512;

type Identified = Pick<ArchiveParse, 'messageId' | 'sha256'>;

/**
 * `mailbox_message_id` of the first imported mail of a Message-ID: the Message-ID if it begins with `<`, as no id of a
 * provider does, else with a prefix that none has; without one `sha256:<hex>` of the bytes.
 */
export function mailboxMessageId({ messageId, sha256 }: Identified): string {
  const id = storableText(messageId ?? '').trim();
  if (id === '' || id.length > MAX_MESSAGE_ID) return `sha256:${sha256}`;
  return id.startsWith('<') ? id : `message-id:${id}`;
}

/** Whether a mail was given its name by `mailboxMessageId`, not by the provider. */
const isNameOfImport = (name: string): boolean => /^(?:<|message-id:|sha256:)/.test(name);

/** A message from elsewhere, on its way into the archive. */
export interface ImportedMessage {
  /** One RFC 5322 message with CRLF line ends, without mbox quoting or separator. */
  readonly raw: Buffer;
  /** Name of the message in the job's result when it cannot be imported, e.g. `message at byte 4096` or `UID 17`. */
  readonly name: string;
  /** Labels of the source as it shows them. */
  readonly labelIds: readonly string[];
  /** Id of the conversation from the source; null: it is found by the message's headers. */
  readonly threadId: string | null;
  /** The arrival as the source says it, e.g. in a From_ line; it counts after the last hop's Received header. null: not known. */
  readonly receivedAt: Date | null;
  /** The Outlook file that the bytes were rebuilt from; none: they are those of the source. */
  readonly rebuiltFrom?: RebuiltFrom;
  /** The envelope of copied mail. It is added to that of the mail if the archive has the message. */
  readonly envelope?: MailEnvelope;
  /** The arrival as a mailbox records it (INTERNALDATE); it counts before everything else. */
  readonly internalDate?: Date | null;
}

/** Counts of a batch. */
export interface ImportBatchResult {
  readonly imported: number;
  /** Bytes of the imported messages. */
  readonly bytes: number;
  /** Number of messages that are in the archive already, or twice in the batch. */
  readonly duplicates: number;
  /** Number of imported messages whose Message-ID another message has. */
  readonly sameIdDifferent: number;
}

export interface ImportBatchOptions {
  /**
   * For the first batch after a crash: the instant (`now`) at which everything before the batch was archived. Mails
   * of this batch that a lost attempt has archived since then count as imported, not as duplicates.
   */
  readonly archivedBefore?: string;
  /** Room for the batch, which the caller has reserved (`reserve`) before it read the messages, and closes itself. */
  readonly room?: MemoryReservation;
}

/** The quota has no room for the rest of a batch. `batch` counts the mails that fitted and are archived. */
export class ImportQuotaExceeded extends StorageQuotaExceeded {
  constructor(readonly batch: ImportBatchResult) {
    super();
  }
}

const NOTHING: ImportBatchResult = { imported: 0, bytes: 0, duplicates: 0, sameIdDifferent: 0 };

type ImportingJob = Pick<JobContext, 'userId' | 'signal'>;

/** Name of a batch in the message budget. */
const BATCH = 'batch';

type ParsedMessage = Omit<MailToArchive, 'threadId'> & { readonly threadId: string | null };

/**
 * A batch whose files are written and that waits for its rows; it holds room in memory until it ends. Its commit throws
 * `ImportQuotaExceeded` after the messages that fitted are archived, MailboxAccountGone, and what the store throws.
 */
export type StagedImport = StagedBatch<ImportBatchResult, Pick<ImportBatchOptions, 'archivedBefore'>>;

/**
 * Puts messages from elsewhere into the archive: parses, recognises duplicates, writes, threads. Parser and memory
 * bound are those of archive jobs.
 */
@Injectable()
export class ImportWriter {
  constructor(
    private readonly memory: MessageBudget,
    private readonly parser: MessageParser,
    private readonly threads: ImportThreadsService,
    private readonly writer: ArchiveWriter,
    private readonly mails: StoredMails,
  ) {}

  /**
   * Waits for room in the memory for messages, for a batch that is about to be read. The caller closes the reservation.
   * @param bytes of the messages
   * @throws the signal's reason
   */
  async reserve(userId: string, bytes: number, signal: AbortSignal): Promise<MemoryReservation> {
    const reservation = this.memory.open(userId, signal);
    try {
      // The batch is reserved as a whole: batches of several jobs that each hold a part would wait for each other.
      await reservation.reserve(BATCH, bytes);
      return reservation;
    } catch (error) {
      reservation.close();
      throw error;
    }
  }

  /**
   * Imports a batch (a few hundred messages, a few MiB); doing it again after a crash changes nothing. Messages that
   * the parser cannot understand are archived as well, with their defects.
   * @throws ImportQuotaExceeded after the messages that fitted are archived; MailboxAccountGone; what the store throws
   */
  async importBatch(
    owner: ArchiveOwner,
    messages: readonly ImportedMessage[],
    job: ImportingJob,
    options?: ImportBatchOptions,
  ): Promise<ImportBatchResult> {
    const staged = await this.stage(owner, messages, job, options?.room);
    return staged.commit(options ?? {});
  }

  /**
   * Does the first half of `importBatch`, for callers that parse a batch and write its files while the one before is
   * committed. Waits for room that other jobs hold: a staged batch must be committed or abandoned without waiting for the
   * next.
   * @param room see `ImportBatchOptions`
   */
  async stage(
    owner: ArchiveOwner,
    messages: readonly ImportedMessage[],
    { userId, signal }: ImportingJob,
    room?: MemoryReservation,
  ): Promise<StagedImport> {
    if (messages.length === 0) return stagedNothing();
    const bytes = messages.reduce((sum, { raw }) => sum + raw.length, 0);
    const reservation = room ?? (await this.reserve(userId, bytes, signal));
    // A room that the caller has reserved is closed by the caller.
    const close = (): void => (room ? undefined : reservation.close());
    try {
      reservation.recordFetchedTogether(BATCH, bytes);
      const parsed = await this.parse(messages, signal);
      reservation.recordParsed(BATCH, bytes);
      // Threads are found when the batch before is committed.
      const mails = parsed.map((mail) => ({ ...mail, threadId: mail.threadId ?? '' }));
      const options = { replace: false, skipDuplicates: true, signal };
      const files = await this.writer.stage(owner, mails, options);
      return new StagedBatch<ImportBatchResult, ImportBatchOptions>({
        commit: (details) => this.commit(owner, parsed, files, details).finally(close),
        abandon: () => {
          close();
          return files.abandon();
        },
      });
    } catch (error) {
      close();
      throw error;
    }
  }

  /**
   * The archive's clock, which the caller stores with each checkpoint and passes as `archivedBefore` when the job resumes
   * from it. Batches must then be cut as they were the first time.
   */
  readClock(): Promise<string> {
    return this.mails.readClock();
  }

  /** Parses messages. @returns results in the order of the messages */
  private parse(messages: readonly ImportedMessage[], signal: AbortSignal): Promise<ParsedMessage[]> {
    const work = async (message: ImportedMessage): Promise<ParsedMessage> => {
      const parsed = await this.parser.parse(message.raw, signal);
      const now = new Date();
      const fromLine = arrivalOfFromLine(message.receivedAt, parsed.date, now);
      return {
        messageId: mailboxMessageId(parsed),
        threadId: message.threadId,
        ...chooseDates(parsed.date, [message.internalDate ?? null, parsed.receivedAt, fromLine], now),
        labelIds: message.labelIds,
        snippet: '',
        raw: message.raw,
        ...(message.rebuiltFrom ? { rebuiltFrom: message.rebuiltFrom } : {}),
        ...(message.envelope ? { envelope: message.envelope } : {}),
        parsed,
      };
    };
    return Promise.all(messages.map(work));
  }

  private async commit(
    owner: ArchiveOwner,
    mails: readonly ParsedMessage[],
    files: StagedBatch<WrittenBatch, ThreadsOfParsed>,
    { archivedBefore }: ImportBatchOptions,
  ): Promise<ImportBatchResult> {
    const written = await this.commitFiles(owner, mails, files);
    const known = written.duplicates.flatMap(({ name }) => name ?? []).filter(isNameOfImport);
    const earlier = await this.earlierOf(owner, known, archivedBefore);
    const here = new Set([...written.archived, ...earlier.map(({ messageId }) => messageId)]);
    await this.threads.recordArchived(owner.accountId, [...new Set([...written.archived, ...known])]);
    const firstNames = new Set(mails.map(({ messageId }) => messageId));
    const result = {
      imported: here.size,
      bytes: written.bytes + earlier.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      duplicates: mails.length - here.size - written.refused.length,
      sameIdDifferent: [...here].filter((name) => !firstNames.has(name)).length,
    };
    if (written.refused.length > 0) throw new ImportQuotaExceeded(result);
    return result;
  }

  /** Writes the rows, or deletes the files when no conversations can be found for them. */
  private async commitFiles(
    owner: ArchiveOwner,
    mails: readonly ParsedMessage[],
    files: StagedBatch<WrittenBatch, ThreadsOfParsed>,
  ): Promise<WrittenBatch> {
    try {
      return await files.commit(await this.threadsOf(owner.accountId, mails));
    } finally {
      await files.abandon();
    }
  }

  /** Mails of this batch that a lost attempt archived. */
  private async earlierOf(
    owner: ArchiveOwner,
    known: readonly string[],
    since: string | undefined,
  ): Promise<StoredMail[]> {
    if (since === undefined || known.length === 0) return [];
    return this.mails.findByMessageIds(owner.accountId, known, { archivedSince: since });
  }

  /** Conversations of messages whose source knows none. */
  private async threadsOf(
    accountId: string,
    messages: readonly ParsedMessage[],
  ): Promise<Map<ArchiveParse, string>> {
    const unknown = messages.filter(({ threadId }) => threadId === null);
    const found = unknown.length > 0 ? await this.threads.assign(accountId, unknown.map(threadedBy)) : [];
    return new Map(unknown.map(({ parsed }, position) => [parsed, found[position] as string]));
  }
}

const stagedNothing = (): StagedImport =>
  new StagedBatch({ commit: () => Promise.resolve(NOTHING), abandon: () => Promise.resolve() });

const threadedBy = ({ date, parsed }: ParsedMessage): ThreadedMessage => ({
  messageId: parsed.messageId,
  inReplyTo: parsed.inReplyTo,
  references: parsed.references,
  subject: parsed.subject,
  sender: parsed.sender,
  recipient: parsed.recipient,
  date,
});
