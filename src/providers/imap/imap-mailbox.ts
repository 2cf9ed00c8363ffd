import { Injectable } from '@nestjs/common';
import { parseMessage } from '../../platform/mime/parse-message';
import { CursorInvalid, PartNotFound, ProviderRejected } from '../port/mail-provider.errors';
import { MailboxProvider, MailboxProviders, ProviderAccount } from '../port/mailbox-provider.port';
import type {
  CallOptions,
  ChangePage,
  DownloadedPart,
  HistoryOptions,
  LabelChange,
  ListMessagesRequest,
  MailboxLabel,
  MailboxProfile,
  MessageMetadata,
  MessagePage,
  InsertedMessage,
  MessageToInsert,
  MetadataOptions,
  RawMessage,
  RawOptions,
} from '../port/mailbox-provider.port';
import { ImapAccountsRepository } from './login/imap-accounts.repository';
import { ImapBodies } from './messages/imap-bodies';
import { ImapCalls } from './session/imap-calls';
import { ImapHistoryRepository } from './store/imap-history.repository';
import { ImapInserts } from './writes/imap-inserts';
import { ImapListingRepository, type IndexedMessage, type ListPlace } from './store/imap-listing.repository';
import { ImapMailboxLabels } from './messages/imap-mailbox-labels';
import { readPart, toFullMessage } from './messages/imap-parts';
import { ImapPlacesRepository } from './store/imap-places.repository';
import { ImapSearch } from './search/imap-search';
import { HEADERS_AT_ONCE } from './messages/imap-headers';
import { ImapSync } from './sync/imap-sync';
import { ImapWatchStates } from './sync/imap-watch-states';
import { ImapWrites } from './writes/imap-writes';

const MAX_IDS_PER_CHANGE = 5_000;
const MAX_INSERT_BYTES = 64 * 1024 * 1024;
const HISTORY_PAGE = 500;
/** Most headers read for one page of a list, by the priority of the call. */
const HEADERS_PER_PAGE = { interactive: 2_000, background: 10_000, spare: 10_000 } as const;
const METADATA_AT_ONCE = 500;
/** Bytes read of a message for its snippet, of which the header takes a few KiB. */
const SNIPPET_BYTES = 16 * 1024;
const NO_SNIPPETS: ReadonlyMap<string, string> = new Map();

/** A mailbox on an IMAP server. Reads come from the index, which each call brings up to date first. */
export class ImapMailbox implements MailboxProvider {
  readonly maxIdsPerChange = MAX_IDS_PER_CHANGE;
  /** One command reads many messages; while its answer arrives, further ones are requested. */
  readonly rawsAtOnce = 96;
  readonly maxInsertBytes = MAX_INSERT_BYTES;

  constructor(
    private readonly account: ProviderAccount,
    private readonly services: ImapMailboxServices,
  ) {}

  async getProfile(options: CallOptions): Promise<MailboxProfile> {
    const { id, email } = this.account;
    await this.sync(options);
    const { messages, threads } = await this.services.listing.countTotals(id);
    const unread = await this.services.places.countUnread(id);
    const { lastSeq } = await this.services.history.getState(id);
    return {
      emailAddress: email,
      messagesTotal: messages + unread,
      threadsTotal: threads + unread,
      historyId: String(lastSeq),
    };
  }

  /**
   * Lists messages whose headers have been read. The page ends where headers of older messages are missing, and the
   * next page goes on once more have been read, so that none is left out in between.
   */
  async listMessages(request: ListMessagesRequest, options: CallOptions): Promise<MessagePage> {
    const { id } = this.account;
    const { services } = this;
    if (request.maxResults < 1 || request.maxResults > 500)
      throw invalid('maxResults must be from 1 to 500.');
    const after = request.pageToken ? placeOf(request.pageToken) : null;
    const labels = request.labelIds ?? [];
    if (!after) await this.sync(options, labels);
    await this.requireLabels(labels);
    let budget: number = HEADERS_PER_PAGE[options.priority];
    for (;;) {
      const unreadDate = await services.places.findNewestUnreadDate(id);
      const wanted = request.maxResults + 1;
      const found = await this.find(
        { ...request, after, newerThan: unreadDate, limit: wanted },
        labels,
        options,
      );
      const isFull = found.length === wanted;
      if (!isFull && unreadDate !== null && budget > 0) {
        const limit = Math.min(budget, 2 * HEADERS_AT_ONCE);
        budget -= limit;
        await this.readHeaders(limit, options);
        continue;
      }
      const messages = found.slice(0, request.maxResults);
      const last = messages.at(-1) ?? (unreadDate && { date: unreadDate.getTime() + 1, messageId: '' });
      const goesOn = isFull || unreadDate !== null;
      return {
        messages: messages.map(({ messageId, threadId }) => ({ id: messageId, threadId })),
        ...(goesOn &&
          last && { nextPageToken: tokenOf(after && !messages.length ? pickEarlier(after, last) : last) }),
        resultSizeEstimate: await this.estimate(request, labels, messages.length, goesOn),
      };
    }
  }

  async *fetchMetadata(
    ids: readonly string[],
    { stillWanted, withSnippets = false, ...options }: MetadataOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    for (let start = 0; start < ids.length; start += METADATA_AT_ONCE) {
      options.signal?.throwIfAborted();
      const asked = ids.slice(start, start + METADATA_AT_ONCE);
      const wanted = stillWanted ? await stillWanted(asked) : asked;
      if (wanted.length === 0 && stillWanted) return;
      const found = await this.services.listing.find(this.account.id, wanted);
      if (found.length === 0) continue;
      const snippets = withSnippets ? await this.readSnippets(found, options) : NO_SNIPPETS;
      yield found.map((message) => metadataOf(message, snippets.get(message.messageId) ?? null));
    }
  }

  async fetchFull(id: string, options: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return toFullMessage(await this.fetchRaw(id, options));
  }

  async fetchRaw(id: string, options: RawOptions): Promise<RawMessage> {
    const message = await this.services.bodies.readRaw(this.account, id, options);
    return { ...message, keywords: await this.services.listing.listKeywords(this.account.id, id) };
  }

  insert(message: MessageToInsert, options: CallOptions): Promise<InsertedMessage> {
    return this.runChange(() => this.services.inserts.insert(this.account, message, options));
  }

  async modify(ids: readonly string[], change: LabelChange, options: CallOptions): Promise<void> {
    requireAtMostMaxIds(ids);
    if (ids.length === 0 || change.add.length + change.remove.length === 0) return;
    await this.runChange(() => this.services.writes.modify(this.account, ids, change, options));
  }

  trash(ids: readonly string[], options: CallOptions): Promise<void> {
    return this.modify(ids, { add: ['TRASH'], remove: ['INBOX'] }, options);
  }

  async labelsAreFolders(): Promise<boolean> {
    const server = await this.services.accounts.find(this.account.id);
    return !server?.gmailLabels;
  }

  async delete(ids: readonly string[], options: CallOptions): Promise<void> {
    requireAtMostMaxIds(ids);
    if (ids.length > 0) await this.runChange(() => this.services.writes.delete(this.account, ids, options));
  }

  async listChanges(
    cursor: string,
    pageToken: string | undefined,
    { isLastLook = false, ...options }: HistoryOptions,
  ): Promise<ChangePage> {
    const { history, watches } = this.services;
    const isLook = pageToken === undefined && (isLastLook || !(await watches.isQuiet(this.account.id)));
    if (isLook) await this.sync(options);
    const { lastSeq, floorSeq } = await history.getState(this.account.id);
    const from = seqOf(cursor);
    if (from === null || from < floorSeq || from > lastSeq) throw new CursorInvalid();
    const after = pageToken === undefined ? from : seqOf(pageToken);
    if (after === null) throw invalid('The page token is not one of ours.');
    const entries = await history.listSince(this.account.id, after, HISTORY_PAGE);
    const isLast = entries.length < HISTORY_PAGE;
    const end = entries.at(-1)?.seq ?? after;
    return {
      changes: entries.map(({ kind, messageId, threadId, labels, labelsAdded, labelsRemoved, seq }) => ({
        kind,
        message: { id: messageId, threadId },
        ...(kind !== 'deleted' && { labelIds: labels }),
        ...(kind === 'labels' && { labelsAdded, labelsRemoved }),
        cursor: String(seq),
      })),
      ...(!isLast && { nextPageToken: String(end) }),
      // This page has all entries that existed when the state was read.
      cursor: String(isLast ? Math.max(end, lastSeq) : end),
    };
  }

  isLater(cursor: string, than: string): boolean {
    return Number(cursor) > Number(than);
  }

  async listLabels(options: CallOptions & { withCounts?: boolean }): Promise<readonly MailboxLabel[]> {
    await this.sync(options);
    return this.services.labels.list(this.account.id, options.withCounts ?? false);
  }

  async getLabel(id: string, options: CallOptions): Promise<MailboxLabel> {
    await this.sync(options);
    return this.services.labels.get(this.account.id, id);
  }

  createLabel(name: string, options: CallOptions): Promise<MailboxLabel> {
    return this.runChange(() => this.services.labels.create(this.account, name, options));
  }

  deleteLabel(id: string, options: CallOptions): Promise<void> {
    return this.runChange(() => this.services.labels.delete(this.account, id, options));
  }

  async downloadPart(messageId: string, partId: string, options: CallOptions): Promise<DownloadedPart> {
    const { bytes } = await this.fetchRaw(messageId, options);
    const part = readPart(bytes, partId);
    if (!part) throw new PartNotFound();
    return part;
  }

  private async sync(options: CallOptions, labels: readonly string[] = []): Promise<void> {
    const { watches, calls, sync } = this.services;
    const seen = await watches.getWatchState(this.account.id);
    const isSettled = await calls.run(
      this.account,
      { ...options, command: 'LIST' },
      ({ session, server, attempt }) =>
        sync.syncFolders({ account: this.account, server }, session, new Set(labels), attempt.signal),
    );
    if (isSettled) await watches.recordSync(this.account.id, seen);
  }

  /** Runs a change. After a failed one the location of its messages is unknown, so the next sync asks all folders. */
  private async runChange<T>(change: () => Promise<T>): Promise<T> {
    try {
      return await change();
    } catch (error) {
      await this.services.history.forgetFigures(this.account.id);
      throw error;
    }
  }

  private async readSnippets(
    messages: readonly IndexedMessage[],
    options: CallOptions,
  ): Promise<ReadonlyMap<string, string>> {
    const ids = messages.map(({ messageId }) => messageId);
    const beginnings = await this.services.bodies.readBeginnings(this.account, ids, SNIPPET_BYTES, options);
    return new Map([...beginnings].map(([id, bytes]) => [id, parseMessage(bytes).snippet]));
  }

  private async readHeaders(limit: number, options: CallOptions): Promise<void> {
    await this.services.calls.run(
      this.account,
      { ...options, command: 'FETCH' },
      ({ session, server, attempt }) =>
        this.services.sync.readHeaders({ account: this.account, server }, session, limit, attempt.signal),
    );
  }

  private find(
    request: ListMessagesRequest & { after: ListPlace | null; newerThan: Date | null; limit: number },
    labels: readonly string[],
    options: CallOptions,
  ): Promise<readonly { readonly messageId: string; readonly threadId: string; readonly date: number }[]> {
    const { after, newerThan, limit, includeSpamTrash = false, query = '' } = request;
    if (query.trim() !== '') {
      return this.services.search.find(
        this.account,
        { query, labels, includeSpamTrash, after, newerThan, limit },
        options,
      );
    }
    return this.services.listing.list(this.account.id, {
      ...visibilityOf(labels, includeSpamTrash),
      labels,
      after,
      newerThan,
      limit,
    });
  }

  private async estimate(
    { query = '', includeSpamTrash = false }: ListMessagesRequest,
    labels: readonly string[],
    found: number,
    goesOn: boolean,
  ): Promise<number> {
    if (query.trim() !== '' || !goesOn) return found + (goesOn ? 1 : 0);
    const request = {
      ...visibilityOf(labels, includeSpamTrash),
      labels,
      after: null,
      newerThan: null,
      limit: 0,
    };
    const unread = labels.length === 0 ? await this.services.places.countUnread(this.account.id) : 0;
    return unread + (await this.services.listing.count(this.account.id, request));
  }

  private async requireLabels(labels: readonly string[]): Promise<void> {
    if (labels.length === 0) return;
    const known = new Set((await this.services.labels.list(this.account.id, false)).map(({ id }) => id));
    const system = ['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH'];
    if (labels.some((label) => !known.has(label) && !system.includes(label))) {
      throw invalid('The mailbox has no such label.');
    }
  }
}

/**
 * The services that `ImapMailbox` uses. Nest cannot inject them there, since a mailbox is created for each account. It has
 * twelve dependencies because a mailbox needs one for each part of the port `MailboxProvider`.
 */
@Injectable()
export class ImapMailboxServices {
  constructor(
    readonly accounts: ImapAccountsRepository,
    readonly calls: ImapCalls,
    readonly sync: ImapSync,
    readonly history: ImapHistoryRepository,
    readonly places: ImapPlacesRepository,
    readonly listing: ImapListingRepository,
    readonly labels: ImapMailboxLabels,
    readonly bodies: ImapBodies,
    readonly writes: ImapWrites,
    readonly inserts: ImapInserts,
    readonly search: ImapSearch,
    readonly watches: ImapWatchStates,
  ) {}
}

/**
 * Creates mailboxes on IMAP servers, for `ProviderMailboxes`. It is not what `MailboxProviders` is bound to: features get
 * `ProviderMailboxes`, which chooses between this class and `GmailMailboxes`.
 */
@Injectable()
export class ImapMailboxes extends MailboxProviders {
  constructor(private readonly services: ImapMailboxServices) {
    super();
  }

  forAccount(account: ProviderAccount): MailboxProvider {
    return new ImapMailbox(account, this.services);
  }
}

const visibilityOf = (
  labels: readonly string[],
  all: boolean,
): { withoutSpam: boolean; withoutTrash: boolean } => ({
  withoutSpam: !all && !labels.includes('SPAM'),
  withoutTrash: !all && !labels.includes('TRASH'),
});

function metadataOf(
  { messageId, threadId, date, size, labels, facts }: IndexedMessage,
  snippet: string | null,
): MessageMetadata {
  const { subject, from, to, hasAttachments, parts, listUnsubscribe, listUnsubscribePost, messageIdHeader } =
    facts;
  return {
    id: messageId,
    threadId,
    internalDate: new Date(date),
    date: facts.date,
    subject,
    from,
    to,
    sizeEstimate: size,
    snippet,
    labelIds: labels,
    hasAttachments,
    parts,
    listUnsubscribe,
    listUnsubscribePost,
    messageIdHeader,
  };
}

/** Encodes a page token, which names the last message of its page. */
const tokenOf = ({ date, messageId }: ListPlace): string =>
  Buffer.from(`${date}.${messageId}`).toString('base64url');

function placeOf(token: string): ListPlace {
  const match = /^(-?\d{1,15})\.([\w.~-]{0,64})$/.exec(Buffer.from(token, 'base64url').toString('utf8'));
  if (!match) throw invalid('The page token is not one of ours.');
  return { date: Number(match[1]), messageId: match[2] as string };
}

const pickEarlier = (one: ListPlace, other: ListPlace): ListPlace =>
  one.date < other.date || (one.date === other.date && one.messageId < other.messageId) ? one : other;

const seqOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

const invalid = (detail: string): ProviderRejected => new ProviderRejected('invalidArgument', detail);

function requireAtMostMaxIds(ids: readonly string[]): void {
  if (ids.length > MAX_IDS_PER_CHANGE)
    throw new RangeError(`A change takes at most ${MAX_IDS_PER_CHANGE} ids`);
}
