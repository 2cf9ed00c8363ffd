import { Injectable, Logger } from '@nestjs/common';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import { timeoutSignal } from '../../../platform/concurrency/timers';
import { DomainError } from '../../../platform/http/domain-error';
import { WorkerPool, type WorkerTask } from '../../../platform/workers/worker-pool';
import { MailContentReader } from '../../mails/mail-content-reader';
import { type ListedMail, MailSearchService } from '../../mails/search/mail-search.service';
import { type StoredMail, StoredMails } from '../../mails/stored-mails';
import { type FoundMessage, messageIdOf } from '../found-message';
import { type Excerpt, excerptOf, highlighted } from './excerpt';
import type { ExcerptTask, PageExcerptTask } from './excerpts.task';
import { type MatchField, type SoughtTerm, soughtTerms } from './sought-terms';

const PAGE_TASK = { module: require.resolve('./excerpts.task'), name: 'findPageExcerpts' };
const TASK = { module: require.resolve('./excerpts.task'), name: 'findTextExcerpts' };
/** Larger mails are shown with their beginning: reading them would take longer than people wait for a list. */
const MAX_BYTES = 2 * 1024 * 1024;
const FILES_AT_A_TIME = 4;
/** Bytes of messages that one task of a thread takes. */
const TASK_BYTES = 4 * 1024 * 1024;
/** A list is answered with the excerpts that are there by then. */
const TIMEOUT_MS = 3_000;

/** Finds the parts of messages that a search matches. */
@Injectable()
export class ExcerptFinder {
  private readonly logger = new Logger(ExcerptFinder.name);

  constructor(
    private readonly archive: MailSearchService,
    private readonly stored: StoredMails,
    private readonly contents: MailContentReader,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * The parts that match, of each of the messages, by field. The text of an archived mail is read from its file; of other
   * messages, and of encrypted, large and unreadable mails, only the beginning is known.
   * @param snippets beginnings of the texts of messages that are not archived
   */
  async find(
    messages: readonly FoundMessage[],
    snippets: ReadonlyMap<string, string>,
    q: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<MatchField, Excerpt>[]> {
    const terms = soughtTerms(q);
    if (terms.length === 0) return messages.map(() => new Map());
    const [texts, fileNames, pages] = await Promise.all([
      this.findInTexts(messages, terms, signal),
      this.findFileNames(messages),
      this.findInFiles(messages, q, terms, signal),
    ]);
    return messages.map((message) => {
      const { mail, live } = message;
      const excerpts = new Map<MatchField, Excerpt>();
      const add = (field: MatchField, excerpt: Excerpt | null | undefined): void => {
        if (excerpt) excerpts.set(field, excerpt);
      };
      add('subject', highlighted(mail?.subject ?? live!.subject, terms, 'subject'));
      add('sender', highlighted(mail?.sender ?? live!.from, terms, 'sender'));
      const files = mail ? (fileNames.get(mail.id) ?? []) : live.parts.map(({ filename }) => filename);
      add(
        'filename',
        firstOf(files, (name) => highlighted(name, terms, 'filename')),
      );
      add('file', mail && pages.get(mail.id));
      add('recipient', excerptOf(mail?.recipient ?? live!.to, terms, 'recipient'));
      const beginning = mail?.snippet ?? snippets.get(messageIdOf(message)) ?? '';
      add('text', (mail && texts.get(mail.id)) ?? excerptOf(beginning, terms, 'text'));
      return excerpts;
    });
  }

  /** The best page of the files of each mail. */
  private async findInFiles(
    messages: readonly FoundMessage[],
    q: string,
    terms: readonly SoughtTerm[],
    signal: AbortSignal,
  ): Promise<Map<string, Excerpt>> {
    const withFiles = idsByAccount(messages, (mail) => mail.has_attachments && !mail.is_encrypted);
    const pages = await Promise.all(
      [...withFiles].map(([accountId, ids]) => this.archive.findFilePages(accountId, q, ids)),
    );
    const all = pages.flat();
    const excerpts = new Map<string, Excerpt>();
    if (all.length === 0) return excerpts;
    const input: PageExcerptTask = { texts: all.map(({ text }) => text), terms };
    const found = await this.tryTask(PAGE_TASK, input, AbortSignal.any([signal, timeoutSignal(TIMEOUT_MS)]));
    signal.throwIfAborted();
    for (const [at, { mailId, filename, member, kind, name }] of all.entries()) {
      const excerpt = found[at];
      if (excerpt) excerpts.set(mailId, { ...excerpt, file: { filename, member, kind, name } });
    }
    return excerpts;
  }

  private async findInTexts(
    messages: readonly FoundMessage[],
    terms: readonly SoughtTerm[],
    signal: AbortSignal,
  ): Promise<Map<string, Excerpt | null>> {
    const excerpts = new Map<string, Excerpt | null>();
    const timeout = timeoutSignal(TIMEOUT_MS);
    const either = AbortSignal.any([signal, timeout]);
    try {
      const mails = await this.findStored(messages);
      const read = new Map<string, Buffer>();
      await forEachConcurrently(mails, FILES_AT_A_TIME, async (mail) => {
        const raw = await this.tryRead(mail, either);
        if (raw) read.set(mail.id, raw);
      });
      for (const group of groupsOf(read)) {
        const ids = group.map(([id]) => id);
        const input: ExcerptTask = { raws: group.map(([, raw]) => raw), terms };
        const found = await this.tryTask(TASK, input, either);
        either.throwIfAborted();
        for (const [at, id] of ids.entries()) excerpts.set(id, found[at] ?? null);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!timeout.aborted) throw error;
      this.logger.debug(`${excerpts.size} of ${messages.length} texts were read within ${TIMEOUT_MS} ms`);
    }
    return excerpts;
  }

  /** A message on which a thread fails is listed all the same, without its excerpt. */
  private async tryTask(
    task: WorkerTask,
    input: ExcerptTask | PageExcerptTask,
    signal: AbortSignal,
  ): Promise<(Excerpt | null)[]> {
    try {
      return await this.workers.run<ExcerptTask | PageExcerptTask, (Excerpt | null)[]>(task, input, {
        signal,
      });
    } catch (error) {
      this.logger.warn(`No excerpts: ${String(error)}`);
      return [];
    }
  }

  private async findStored(messages: readonly FoundMessage[]): Promise<StoredMail[]> {
    const readable = idsByAccount(messages, (mail) => !mail.is_encrypted && mail.size_bytes <= MAX_BYTES);
    const mails = await Promise.all(
      [...readable].map(([accountId, ids]) => this.stored.findAll(accountId, ids)),
    );
    return mails.flat();
  }

  private async findFileNames(messages: readonly FoundMessage[]): Promise<Map<string, string[]>> {
    const withFiles = idsByAccount(messages, (mail) => mail.has_attachments);
    const names = await Promise.all(
      [...withFiles].map(([accountId, ids]) => this.archive.findFileNames(accountId, ids)),
    );
    return new Map(names.flatMap((ofAccount) => [...ofAccount]));
  }

  /** A mail that cannot be read is listed all the same: its reader says what is wrong. */
  private async tryRead(mail: StoredMail, signal: AbortSignal): Promise<Buffer | null> {
    try {
      return await this.contents.read(mail, null, { signal });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.logger.debug(`No excerpt of mail ${mail.id}: ${error.code}`);
      return null;
    }
  }
}

/** The ids of the archived mails that `isWanted` chooses, by account. */
function idsByAccount(
  messages: readonly FoundMessage[],
  isWanted: (mail: ListedMail) => boolean,
): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { accountId, mail } of messages)
    if (mail !== null && isWanted(mail)) ids.set(accountId, [...(ids.get(accountId) ?? []), mail.id]);
  return ids;
}

function firstOf(names: readonly string[], find: (name: string) => Excerpt | null): Excerpt | null {
  for (const name of names) {
    const excerpt = find(name);
    if (excerpt) return excerpt;
  }
  return null;
}

/** Messages in groups for one task each. */
function groupsOf(read: ReadonlyMap<string, Buffer>): [string, Buffer][][] {
  const groups: [string, Buffer][][] = [];
  let bytes = Infinity;
  for (const entry of read) {
    bytes += entry[1].length;
    if (bytes > TASK_BYTES) {
      groups.push([]);
      bytes = entry[1].length;
    }
    groups.at(-1)!.push(entry);
  }
  return groups;
}
