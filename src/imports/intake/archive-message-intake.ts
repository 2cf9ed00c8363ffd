import { Injectable } from '@nestjs/common';
import { type HeldMessages, MessageMemory } from '../../archive/jobs/message-memory';
import { MessageParser } from '../../archive/jobs/message-parser';
import { ArchiveWriter, WrittenBatch } from '../../archive/writing/archive-writer';
import type { ArchiveOwner, MailToArchive } from '../../archive/writing/mail-to-archive';
import type { JobContext } from '../../common/jobs/job-context';
import { ImportThreads } from '../threading/import-threads.port';
import { EarlierMail, ImportedMailsRepository } from './imported-mails.repository';
import { archiveDate, mailboxMessageId } from './message-identity';
import {
  ImportedMessage,
  IntakeOptions,
  IntakeResult,
  MessageIntake,
  PreparedBatch,
  QuotaEndedIntake,
} from './message-intake.port';

/** The name under which a batch is held. */
const BATCH = 'batch';

type ParsedMessage = Omit<MailToArchive, 'threadId'> & { readonly threadId: string | null };

class ParsedBatch implements PreparedBatch {
  constructor(
    readonly parsed: readonly ParsedMessage[],
    /** null when the room is the caller's. */
    private readonly held: HeldMessages | null,
  ) {}

  release(): void {
    this.held?.close();
  }
}

/** Takes messages into the archive with the parser and the memory bound that archive jobs use. */
@Injectable()
export class ArchiveMessageIntake extends MessageIntake {
  constructor(
    private readonly memory: MessageMemory,
    private readonly parser: MessageParser,
    private readonly threads: ImportThreads,
    private readonly writer: ArchiveWriter,
    private readonly repository: ImportedMailsRepository,
  ) {
    super();
  }

  async prepare(
    messages: readonly ImportedMessage[],
    { signal }: Pick<JobContext, 'signal'>,
    room?: HeldMessages,
  ): Promise<ParsedBatch> {
    if (messages.length === 0) return new ParsedBatch([], null);
    const bytes = messages.reduce((sum, { raw }) => sum + raw.length, 0);
    const held = room ?? (await this.room(bytes, signal));
    const own = room ? null : held;
    try {
      held.fetchedTogether(BATCH, bytes);
      const parsed = await this.parse(messages, signal);
      held.parsed(BATCH, bytes);
      return new ParsedBatch(parsed, own);
    } catch (error) {
      own?.close();
      throw error;
    }
  }

  async archive(
    owner: ArchiveOwner,
    prepared: PreparedBatch,
    { signal }: Pick<JobContext, 'signal'>,
    options: IntakeOptions = {},
  ): Promise<IntakeResult> {
    const { parsed } = prepared as ParsedBatch;
    try {
      if (parsed.length === 0) return { imported: 0, bytes: 0, duplicates: 0 };
      return await this.write(owner, parsed, signal, options);
    } finally {
      prepared.release();
    }
  }

  async room(bytes: number, signal: AbortSignal): Promise<HeldMessages> {
    const held = this.memory.open(signal);
    try {
      // The batch as one: batches of several jobs that each hold a part would wait for each other.
      await held.reserve(BATCH, bytes);
      return held;
    } catch (error) {
      held.close();
      throw error;
    }
  }

  now(): Promise<string> {
    return this.repository.now();
  }

  /** In the order of the messages. */
  private parse(messages: readonly ImportedMessage[], signal: AbortSignal): Promise<ParsedMessage[]> {
    const work = async (message: ImportedMessage): Promise<ParsedMessage> => {
      const parsed = await this.parser.parse(message.raw, signal);
      return {
        messageId: mailboxMessageId(parsed),
        threadId: message.threadId,
        date: archiveDate([parsed.date, message.receivedAt], new Date()),
        labelIds: message.labelIds,
        snippet: '',
        raw: message.raw,
        parsed,
      };
    };
    return Promise.all(messages.map(work));
  }

  private async write(
    owner: ArchiveOwner,
    parsed: readonly ParsedMessage[],
    signal: AbortSignal,
    { archivedBefore }: IntakeOptions,
  ): Promise<IntakeResult> {
    const first = firstOfEach(parsed);
    const mails = await this.threaded(owner.accountId, first);
    const written = await this.writer.write(owner, mails, { replace: false, skipDuplicates: true, signal });
    const earlier = await this.earlierOf(owner, written, archivedBefore);
    const here = new Set([...written.archived, ...earlier.map(({ messageId }) => messageId)]);
    await this.threads.archived(
      owner.accountId,
      mails.map(({ messageId }) => messageId),
    );
    const taken = {
      imported: here.size,
      bytes: written.bytes + earlier.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      duplicates: parsed.length - here.size - written.refused.length,
    };
    if (written.refused.length > 0) throw new QuotaEndedIntake(taken);
    return taken;
  }

  /** What an attempt that was lost in the middle of this batch has archived. */
  private async earlierOf(
    owner: ArchiveOwner,
    { kept }: WrittenBatch,
    since: string | undefined,
  ): Promise<EarlierMail[]> {
    if (since === undefined || kept.length === 0) return [];
    return this.repository.archivedSince(owner, kept, since);
  }

  private async threaded(accountId: string, messages: readonly ParsedMessage[]): Promise<MailToArchive[]> {
    const unknown = messages.filter(({ threadId }) => threadId === null);
    const found = unknown.length > 0 ? await this.threads.assign(accountId, unknown.map(threadedBy)) : [];
    const threads = new Map(unknown.map(({ messageId }, position) => [messageId, found[position] as string]));
    return messages.map((mail) => ({
      ...mail,
      threadId: mail.threadId ?? (threads.get(mail.messageId) as string),
    }));
  }
}

/** Of messages with the same Message-ID, or without one the same bytes, the first. */
function firstOfEach(messages: readonly ParsedMessage[]): ParsedMessage[] {
  const seen = new Set<string>();
  return messages.filter(({ messageId, parsed }) => {
    const identity = parsed.messageId ?? messageId;
    const isNew = !seen.has(identity) && !seen.has(messageId);
    seen.add(identity).add(messageId);
    return isNew;
  });
}

const threadedBy = ({ date, parsed }: ParsedMessage): Parameters<ImportThreads['assign']>[1][number] => ({
  messageId: parsed.messageId,
  inReplyTo: parsed.inReplyTo,
  references: parsed.references,
  subject: parsed.subject,
  sender: parsed.sender,
  recipient: parsed.recipient,
  date,
});
