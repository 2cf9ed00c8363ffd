import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SearchTermNotSupported } from '../../port/mail-provider.errors';
import type { CallOptions, ProviderAccount } from '../../port/mailbox-provider.port';
import { translateUnsupportedTerm, requireReadableQuery } from '../../port/readable-query';
import {
  compileSearch,
  type CompiledSearch,
  type SearchContext,
} from '../../../platform/search/search-compiler';
import type { QueryTerm } from '../../../platform/search/query-parser';
import { formatTerm } from '../../../platform/search/format-query';
import { findTextPhrases, textKeyOf } from '../../../platform/search/search-terms';
import { spellingsOf } from '../../../platform/search/spellings';
import { type Argument, atom } from '../session/imap-commands';
import { ImapCalls } from '../session/imap-calls';
import { holdsMessages, labelNameOf } from '../sync/imap-folder-roles';
import { ImapFoldersRepository } from '../store/imap-folders.repository';
import type { ImapFolderEntity } from '../store/imap-index.entity';
import {
  ImapListingRepository,
  type IndexedMessage,
  type ListPlace,
  type ListRequest,
} from '../store/imap-listing.repository';
import { FolderMissing, type ImapSession } from '../session/imap-session';

/** Messages read from the index at once. */
const CHUNK = 1_000;
/** Most words of one phrase that the server is asked for. */
const MAX_WORDS = 20;

/**
 * Time for which the UIDs that the server found are cached, in milliseconds; then the limits of cached searches, and of
 * UIDs in each.
 */
const REMEMBERED_MS = 5 * 60_000;
const MAX_REMEMBERED = 2_000;
const MAX_REMEMBERED_UIDS = 5_000;

interface FoundUids {
  readonly uidValidity: number;
  readonly uidNext: number;
  readonly uids: readonly number[];
  readonly until: number;
}

export interface SearchRequest {
  readonly query: string;
  readonly labels: readonly string[];
  readonly includeSpamTrash: boolean;
  readonly after: ListPlace | null;
  readonly newerThan: Date | null;
  readonly limit: number;
}

/**
 * Searches a mailbox. Headers, labels, dates and sizes are compared exactly, in the index. Words of the text are
 * searched for by the server, which decides what matches.
 */
@Injectable()
export class ImapSearch {
  /** UIDs that the server found recently, by folder and words. */
  private readonly found = new Map<string, FoundUids>();

  constructor(
    private readonly calls: ImapCalls,
    private readonly folders: ImapFoldersRepository,
    private readonly listing: ImapListingRepository,
  ) {}

  /** Finds messages, newest first. @throws SearchTermNotSupported */
  async find(
    account: ProviderAccount,
    request: SearchRequest,
    options: CallOptions,
  ): Promise<IndexedMessage[]> {
    const folders = await this.folders.list(account.id);
    const { search, phrases } = readSearch(request.query, contextOf(account, folders));
    const wanted = listRequest(request, search);
    const texts = await this.searchTexts(account, phrases, folders, wanted, options);
    const found: IndexedMessage[] = [];
    let { after } = request;
    for (;;) {
      options.signal?.throwIfAborted();
      const chunk = await this.listing.listWhole(account.id, {
        ...wanted,
        after,
        limit: CHUNK,
      });
      for (const message of chunk) {
        if (!search.matches(subjectOf(message, texts))) continue;
        found.push(message);
        if (found.length === request.limit) return found;
      }
      after = chunk.at(-1) ?? null;
      if (chunk.length < CHUNK || after === null) return found;
      await nextTurn();
    }
  }

  /** Asks the server for each term. @returns ids of the messages that have it, by the key of the term */
  private async searchTexts(
    account: ProviderAccount,
    phrases: ReadonlyMap<string, QueryTerm>,
    folders: readonly ImapFolderEntity[],
    wanted: Wanted,
    options: CallOptions,
  ): Promise<Map<string, ReadonlySet<string>>> {
    const texts = new Map<string, Set<string>>();
    if (phrases.size === 0) return texts;
    await this.calls.run(account, { ...options, command: 'SEARCH' }, async ({ session, server, attempt }) => {
      for (const phrase of phrases.keys()) texts.set(phrase, new Set());
      for (const folder of folders) {
        if (!mayHold(folder, wanted, server.gmailLabels)) continue;
        for (const [phrase, term] of phrases) {
          attempt.signal.throwIfAborted();
          const uids = await this.findUids(term, folder, session);
          for (const id of await this.listing.findIdsAt(folder, uids)) texts.get(phrase)?.add(id);
        }
      }
    });
    return texts;
  }

  /**
   * Finds the UIDs of messages with these words. Later pages and searches ask the server again only for folders with
   * new messages.
   */
  private async findUids(
    term: QueryTerm,
    folder: ImapFolderEntity,
    session: ImapSession,
  ): Promise<readonly number[]> {
    const { id, path, uidValidity, uidNext, messageCount } = folder;
    const key = `${id} ${textKeyOf(term)}`;
    const known = this.found.get(key);
    if (known?.uidValidity === uidValidity && known.uidNext === uidNext && known.until > Date.now())
      return known.uids;
    try {
      await session.enter(path, uidValidity);
    } catch (error) {
      if (error instanceof FolderMissing) return [];
      throw error;
    }
    const uids = await session.search(buildCriteria(term), 2 * messageCount + 1_000);
    if (this.found.size >= MAX_REMEMBERED) this.found.clear();
    if (uids.length <= MAX_REMEMBERED_UIDS)
      this.found.set(key, { uidValidity, uidNext, uids, until: Date.now() + REMEMBERED_MS });
    return uids;
  }
}

type Wanted = Omit<ListRequest, 'after' | 'limit'>;

/** Whether a wanted message can be found in a folder. */
function mayHold(
  { role, uidValidity, messageCount, labelId }: ImapFolderEntity,
  { labels, withoutSpam, withoutTrash }: Wanted,
  gmailLabels: boolean,
): boolean {
  if (!holdsMessages(role, gmailLabels) || uidValidity === 0 || messageCount === 0) return false;
  if ((role === 'junk' && withoutSpam) || (role === 'trash' && withoutTrash)) return false;
  const label = labels.find((name) => name === 'INBOX' || name.startsWith('Folder_'));
  return gmailLabels || label === undefined || label === labelId;
}

interface ReadSearch {
  readonly search: CompiledSearch;
  /** The terms that the server is asked for, by their phrase. */
  readonly phrases: ReadonlyMap<string, QueryTerm>;
}

/** Reads a whole query before any of it is searched for. @throws SearchTermNotSupported */
function readSearch(query: string, context: SearchContext): ReadSearch {
  requireReadableQuery({ provider: 'imap' }, query);
  const search = translateUnsupportedTerm(() => compileSearch(query, context));
  const { phrases, excluded } = findTextPhrases(query);
  // Servers may miss messages, so one that the server did not find may still have the word.
  if (excluded !== null) throw new SearchTermNotSupported(`-${formatTerm(excluded)}`, excluded);
  return { search, phrases };
}

/** Builds the criteria for a term in any of its spellings, anywhere in the message or in its body (RFC 3501 §6.4.4). */
function buildCriteria(term: QueryTerm): Argument[] {
  const alternatives = spellingsOf(term).map(criteriaForWords);
  return alternatives.reduceRight((others, one) => [atom('OR'), one, others]);
}

/** The criteria for all words of a value, which are more than one argument and need brackets. */
function criteriaForWords({ operator, value }: QueryTerm): Argument[] {
  const words = value.split(/[^\p{L}\p{N}\p{M}_]+/u).filter((word) => word !== '');
  return words
    .slice(0, MAX_WORDS)
    .flatMap((word) => [
      atom(operator === 'body' ? 'BODY' : 'TEXT'),
      /^[\x20-\x7e]*$/.test(word)
        ? word
        : { type: 'LITERAL', value: Buffer.from(word.normalize('NFC'), 'utf8') },
    ]);
}

function contextOf(account: ProviderAccount, folders: readonly ImapFolderEntity[]): SearchContext {
  const simple = (name: string): string => name.normalize('NFC').toLowerCase().replace(/[ /&]/g, '-');
  const ids = new Map<string, string>();
  for (const { labelId, path, delimiter, role } of folders) {
    if (labelId === null || role === 'ignored') continue;
    if (role === 'user') ids.set(simple(labelNameOf(path, delimiter)), labelId);
  }
  // People leave INBOX out where all folders are below it.
  for (const { labelId, path, delimiter, role } of folders) {
    const [, name] = /^INBOX\/(.+)$/i.exec(labelNameOf(path, delimiter)) ?? [];
    if (role === 'user' && labelId !== null && name !== undefined && !ids.has(simple(name)))
      ids.set(simple(name), labelId);
  }
  for (const { labelId } of folders) if (labelId !== null) ids.set(simple(labelId), labelId);
  for (const flag of ['UNREAD', 'STARRED', 'IMPORTANT', 'INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH']) {
    ids.set(flag.toLowerCase(), flag);
  }
  return {
    now: Date.now(),
    email: account.email,
    accountId: account.id,
    labelId: (name) => ids.get(simple(name)),
    isUserLabel: (id) => id.startsWith('Folder_'),
    isSpelled: true,
    unreadable: 'refused',
  };
}

function listRequest(
  { labels, includeSpamTrash, newerThan }: SearchRequest,
  { wantsSpam, wantsTrash }: CompiledSearch,
): Omit<ListRequest, 'after' | 'limit'> {
  return {
    labels,
    newerThan,
    withoutSpam: !includeSpamTrash && !wantsSpam && !labels.includes('SPAM'),
    withoutTrash: !includeSpamTrash && !wantsTrash && !labels.includes('TRASH'),
  };
}

function subjectOf(
  { messageId, labels, date, size, facts }: IndexedMessage,
  texts: ReadonlyMap<string, ReadonlySet<string>>,
): Parameters<CompiledSearch['matches']>[0] {
  const names = facts.parts.map(({ filename }) => filename);
  return {
    labels: new Set(labels),
    internalDate: date,
    facts: () => ({
      from: facts.from,
      to: facts.to,
      cc: facts.cc,
      bcc: facts.bcc,
      subject: facts.subject,
      replyTo: facts.replyTo,
      deliveredTo: facts.deliveredTo,
      list: facts.listId,
      messageId: (facts.messageIdHeader ?? '').replace(/^<|>$/g, ''),
      attachmentNames: names,
      hasAttachment: facts.hasAttachments,
    }),
    size: () => size,
    hasText: (term) => texts.get(textKeyOf(term))?.has(messageId) ?? false,
  };
}
