import { once } from 'node:events';
import { messageRoutes } from '../../../sandbox/src/gmail/messages';
import { messageChangeRoutes } from '../../../sandbox/src/gmail/message-changes';
import { historyRoutes } from '../../../sandbox/src/gmail/history';
import { labelRoutes } from '../../../sandbox/src/gmail/labels';
import type { GmailCall, Scope } from '../../../sandbox/src/gmail/gmail-call';
import { ApiError } from '../../../sandbox/src/http/api-error';
import type { Mailbox } from '../../../sandbox/src/mailbox/mailbox';
import { mailboxAccess } from '../../../sandbox/src/mailbox/mailbox-access';
import { Mailboxes } from '../../../sandbox/src/mailbox/mailboxes';
import { headerDateOf } from '../../../sandbox/src/mime/message-facts';
import type { SandboxMailbox } from '../../../sandbox/src/types';
import { decodeHistory } from '../../../src/providers/gmail/history-decoder';
import {
  decodeMetadata,
  decodePart,
  decodeRef,
  findPart,
  type MessagePayload,
} from '../../../src/providers/gmail/message-decoder';
import { decodeRawAnswer } from '../../../src/providers/gmail/raw-answer';
import {
  CursorInvalid,
  LabelExists,
  LabelNotFound,
  LabelProtected,
  MessageNotFound,
  PartNotFound,
  ProviderRejected,
  ThreadNotFound,
} from '../../../src/providers/port/mail-provider.errors';
import { MailboxProviders } from '../../../src/providers/port/mailbox-provider.port';
import type {
  CallOptions,
  ChangePage,
  DownloadedPart,
  InsertedMessage,
  LabelChange,
  ListMessagesRequest,
  MailboxLabel,
  MailboxProfile,
  MailboxProvider,
  MessageMetadata,
  MessagePage,
  MessageToInsert,
  MetadataOptions,
  ProviderAccount,
  RawMessage,
  RawOptions,
} from '../../../src/providers/port/mailbox-provider.port';
import { requireReadableQuery } from '../../../src/providers/port/readable-query';
import { noteFault } from '../coverage';

const DAY_MS = 86_400_000;
const ROUTES = [...messageRoutes, ...messageChangeRoutes, ...historyRoutes, ...labelRoutes];
const ALL_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['full']);
const METADATA_BATCH = 100;
const HISTORY_PAGE = 500;

/** Endpoints of the Gmail API by the methods of a mailbox. */
const ENDPOINTS = {
  getProfile: 'getProfile',
  listMessages: 'messages.list',
  fetchMetadata: 'messages.get',
  fetchFull: 'messages.get',
  fetchRaw: 'messages.get',
  insert: 'messages.insert',
  modify: 'messages.batchModify',
  delete: 'messages.batchDelete',
  listChanges: 'history.list',
  listLabels: 'labels.list',
  getLabel: 'labels.get',
  createLabel: 'labels.create',
  deleteLabel: 'labels.delete',
  downloadPart: 'messages.get',
} as const;

/** The methods of a mailbox under which calls are counted, and which can fail. */
export type ProviderMethod = keyof typeof ENDPOINTS;

/** The calls that an incident concerns. */
export interface ScriptedCalls {
  /** Only calls for this message. */
  readonly messageId?: string;
  /** Only calls for the mailbox of this address. */
  readonly email?: string;
  /** Matching calls that pass before it begins; default: none. */
  readonly skip?: number;
  /** Calls that meet it; default: one. */
  readonly times?: number | 'always';
  /** Makes the call before the incident. */
  readonly afterApplying?: boolean;
}

/** Changes the outcome of a call while it is made. @param signal that ends the call */
type Incident = (signal: AbortSignal | undefined) => void | Promise<void>;

interface Script extends ScriptedCalls {
  readonly method: ProviderMethod;
  readonly happen: Incident;
  passed: number;
  met: number;
}

interface PlannedCall {
  readonly method: ProviderMethod;
  readonly email: string;
  readonly messageId?: string;
  readonly options: CallOptions;
}

interface Answer {
  readonly [field: string]: unknown;
}

/**
 * Live mailboxes in memory, in place of every provider: the sandbox's mailboxes without HTTP, gateway and quota. Counts
 * calls by method (`metadata` by message), and fails where a spec says so.
 */
export class ScriptedMailboxes extends MailboxProviders {
  private readonly mailboxes = new Mailboxes({
    email: 'demo@sandbox.mailroom.test',
    seed: 1,
    messages: 0,
    averageBytes: undefined,
    rawCacheBytes: undefined,
    endMs: Math.floor(Date.now() / DAY_MS) * DAY_MS,
  });
  private scripts: Script[] = [];
  private readonly byMailbox = new Map<string, Readonly<Record<string, number>>>();
  /** Calls since the last `reset`, by method. */
  calls: Partial<Record<ProviderMethod, number>> = {};

  /** The same for one mailbox, by the endpoint of the Gmail API. */
  callsOf(email: string): Readonly<Record<string, number>> {
    return this.byMailbox.get(email) ?? {};
  }

  get totalCalls(): number {
    return Object.values(this.calls).reduce((sum, count) => sum + count, 0);
  }

  forAccount(account: ProviderAccount): MailboxProvider {
    return new ScriptedMailbox(account, this.mailboxes.get(account.email), this);
  }

  /** The mailbox of an address, to look into and change as its user would; `name-<count>@…` has that many messages. */
  mailbox(email: string): SandboxMailbox {
    return mailboxAccess(this.mailboxes.get(email));
  }

  /** Lets calls fail, with an error of the port. */
  fail(method: ProviderMethod, error: Error, calls: ScriptedCalls = {}): void {
    const reason = (error as { reason?: unknown }).reason;
    const kind = [error.name, typeof reason === 'string' ? reason : ''].filter(Boolean).join(' ');
    noteFault({ endpoint: ENDPOINTS[method], answer: { kind } });
    this.on(method, calls, () => {
      throw error;
    });
  }

  /** Lets something happen while calls are made. */
  on(method: ProviderMethod, calls: ScriptedCalls, happen: Incident): void {
    this.scripts.push({ ...calls, method, happen, passed: 0, met: 0 });
  }

  /** Leaves calls without an answer until they are ended. */
  hang(method: ProviderMethod, calls: ScriptedCalls = {}): void {
    noteFault({ endpoint: ENDPOINTS[method], answer: { kind: 'hang' } });
    this.on(method, calls, async (signal) => {
      if (!signal) throw new Error(`Nothing ends this call of ${method}`);
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason;
    });
  }

  resetCalls(): void {
    this.calls = {};
    this.byMailbox.clear();
  }

  /** Forgets calls and what is to happen. */
  reset(): void {
    this.resetCalls();
    this.scripts = [];
  }

  /** Counts a call and makes it, with what the script says. */
  async perform<T>(call: PlannedCall, work: () => T | Promise<T>): Promise<T> {
    call.options.signal?.throwIfAborted();
    call.options.fence?.();
    this.count(call);
    const script = this.takeScript(call);
    const { signal } = call.options;
    if (!script?.afterApplying) await script?.happen(signal);
    const answer = await work();
    if (script?.afterApplying) await script.happen(signal);
    return answer;
  }

  private count({ method, email }: PlannedCall): void {
    this.calls[method] = (this.calls[method] ?? 0) + 1;
    const endpoint = ENDPOINTS[method];
    const calls = this.byMailbox.get(email) ?? {};
    this.byMailbox.set(email, { ...calls, [endpoint]: (calls[endpoint] ?? 0) + 1 });
  }

  private takeScript({ method, email, messageId }: PlannedCall): Script | undefined {
    for (const script of this.scripts) {
      if (script.method !== method) continue;
      if (script.email !== undefined && script.email !== email) continue;
      if (script.messageId !== undefined && script.messageId !== messageId) continue;
      if (script.times !== 'always' && script.met >= (script.times ?? 1)) continue;
      if (script.passed < (script.skip ?? 0)) {
        script.passed += 1;
        continue;
      }
      script.met += 1;
      return script;
    }
    return undefined;
  }
}

/** One mailbox in memory, which behaves as Gmail does. */
class ScriptedMailbox implements MailboxProvider {
  readonly maxIdsPerChange = 1_000;
  readonly rawsAtOnce = 32;
  readonly maxInsertBytes = 150 * 1024 * 1024;

  constructor(
    private readonly account: ProviderAccount,
    private readonly mailbox: Mailbox,
    private readonly mailboxes: ScriptedMailboxes,
  ) {}

  async getProfile(options: CallOptions): Promise<MailboxProfile> {
    const profile = await this.call('getProfile', options);
    return {
      emailAddress: profile.emailAddress as string,
      messagesTotal: profile.messagesTotal as number,
      threadsTotal: profile.threadsTotal as number,
      historyId: profile.historyId as string,
    };
  }

  async listMessages(request: ListMessagesRequest, options: CallOptions): Promise<MessagePage> {
    if (request.query) requireReadableQuery(this.account, request.query);
    const query = new URLSearchParams({ maxResults: String(request.maxResults) });
    if (request.query) query.set('q', request.query);
    for (const id of request.labelIds ?? []) query.append('labelIds', id);
    if (request.pageToken) query.set('pageToken', request.pageToken);
    if (request.includeSpamTrash) query.set('includeSpamTrash', 'true');
    const page = await this.call('listMessages', options, { query });
    return {
      messages: ((page.messages ?? []) as object[]).map(decodeRef),
      ...(page.nextPageToken !== undefined && { nextPageToken: page.nextPageToken as string }),
      resultSizeEstimate: page.resultSizeEstimate as number,
    };
  }

  async *fetchMetadata(
    ids: readonly string[],
    options: MetadataOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    for (let at = 0; at < ids.length; at += METADATA_BATCH) {
      const batch = ids.slice(at, at + METADATA_BATCH);
      const wanted = options.stillWanted ? await options.stillWanted(batch) : batch;
      const found: MessageMetadata[] = [];
      for (const id of wanted) {
        const message = await this.readMetadata(id, options);
        if (message) found.push(message);
      }
      if (found.length > 0) yield found;
    }
  }

  fetchFull(id: string, options: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return this.call('fetchFull', options, { id, query: new URLSearchParams({ format: 'full' }) });
  }

  async fetchRaw(id: string, options: RawOptions): Promise<RawMessage> {
    const query = new URLSearchParams({ format: 'raw' });
    const fields = await this.call('fetchRaw', options, { id, query });
    return decodeRawAnswer({ fields, bytes: Buffer.from(fields.raw as string, 'base64url') });
  }

  async insert(message: MessageToInsert, options: CallOptions): Promise<InsertedMessage> {
    const { bytes, labelIds, threadId } = message;
    return this.perform('insert', options, undefined, () => {
      for (const id of labelIds)
        if (id !== 'SENT' && id !== 'DRAFT') this.translate(() => this.mailbox.labels.requireMutable(id));
      const number = this.translate(
        () =>
          this.mailbox.add({
            source: { bytes },
            labelIds,
            internalDate: headerDateOf(bytes) ?? Date.now(),
            threadId,
          }),
        () => new ThreadNotFound(),
      );
      return { id: this.mailbox.idOf(number), threadId: this.mailbox.threadIdOf(number) };
    });
  }

  async modify(ids: readonly string[], change: LabelChange, options: CallOptions): Promise<void> {
    const addLabelIds = [...new Set(change.add)];
    const removeLabelIds = [...new Set(change.remove)].filter((label) => !addLabelIds.includes(label));
    if (ids.length === 0 || addLabelIds.length + removeLabelIds.length === 0) return;
    await this.call('modify', options, {
      body: { ids, addLabelIds, removeLabelIds },
    });
  }

  trash(ids: readonly string[], options: CallOptions): Promise<void> {
    return this.modify(ids, { add: ['TRASH'], remove: ['INBOX'] }, options);
  }

  async delete(ids: readonly string[], options: CallOptions): Promise<void> {
    if (ids.length === 0) return;
    await this.call('delete', options, { body: { ids } });
  }

  async labelsAreFolders(): Promise<boolean> {
    return false;
  }

  async listChanges(
    cursor: string,
    pageToken: string | undefined,
    options: CallOptions,
  ): Promise<ChangePage> {
    const query = new URLSearchParams({ startHistoryId: cursor, maxResults: String(HISTORY_PAGE) });
    if (pageToken) query.set('pageToken', pageToken);
    const page = await this.call('listChanges', options, { query });
    return {
      changes: decodeHistory(page.history as object[] | undefined),
      ...(page.nextPageToken !== undefined && { nextPageToken: page.nextPageToken as string }),
      cursor: page.historyId as string,
    };
  }

  isLater(cursor: string, than: string): boolean {
    return BigInt(cursor) > BigInt(than);
  }

  async listLabels(options: CallOptions & { withCounts?: boolean }): Promise<readonly MailboxLabel[]> {
    const { labels } = await this.call('listLabels', options);
    const plain = (labels as Answer[]).map(decodeLabel);
    return options.withCounts ? Promise.all(plain.map(({ id }) => this.getLabel(id, options))) : plain;
  }

  async getLabel(id: string, options: CallOptions): Promise<MailboxLabel> {
    return decodeLabel(await this.call('getLabel', options, { id }));
  }

  async createLabel(name: string, options: CallOptions): Promise<MailboxLabel> {
    return decodeLabel(await this.call('createLabel', options, { body: { name } }));
  }

  async deleteLabel(id: string, options: CallOptions): Promise<void> {
    await this.call('deleteLabel', options, { id });
  }

  async downloadPart(messageId: string, partId: string, options: CallOptions): Promise<DownloadedPart> {
    const { payload } = await this.call('downloadPart', options, { id: messageId });
    const part = findPart(payload as MessagePayload, partId);
    if (!part || part.parts?.length) throw new PartNotFound();
    const { filename, mimeType } = decodePart(part);
    return { filename, mimeType, bytes: await this.contentOf(messageId, part) };
  }

  private async contentOf(messageId: string, { body }: MessagePayload): Promise<Buffer> {
    if (typeof body?.data === 'string') return Buffer.from(body.data, 'base64url');
    if (!body?.attachmentId) return Buffer.alloc(0);
    const params = { id: messageId, attachmentId: body.attachmentId };
    const { data } = await this.handle('messages.attachments.get', { params });
    return Buffer.from(data as string, 'base64url');
  }

  private async readMetadata(id: string, options: MetadataOptions): Promise<MessageMetadata | undefined> {
    try {
      return decodeMetadata(await this.call('fetchMetadata', options, { id }));
    } catch (error) {
      if (error instanceof MessageNotFound || isInvalidId(error)) return undefined;
      if (error instanceof ProviderRejected && options.onUnreadable) {
        options.onUnreadable(id, error);
        return undefined;
      }
      throw error;
    }
  }

  private call(
    method: ProviderMethod,
    options: CallOptions,
    { id, query, body }: { id?: string; query?: URLSearchParams; body?: object } = {},
  ): Promise<Answer> {
    return this.perform(method, options, id, async () => {
      const params: Record<string, string> = id === undefined ? {} : { id };
      try {
        return await this.handle(ENDPOINTS[method], { params, query, body });
      } catch (error) {
        throw portError(method, error);
      }
    });
  }

  private perform<T>(
    method: ProviderMethod,
    options: CallOptions,
    messageId: string | undefined,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const { email } = this.mailbox;
    return this.mailboxes.perform(
      { method, email, options, ...(messageId !== undefined && { messageId }) },
      work,
    );
  }

  private async handle(
    endpoint: string,
    request: {
      params: Record<string, string>;
      query?: URLSearchParams | undefined;
      body?: object | undefined;
    },
  ): Promise<Answer> {
    const route = ROUTES.find((each) => each.endpoint === endpoint)!;
    const call: GmailCall = {
      mailbox: this.mailbox,
      params: request.params,
      request: {
        method: route.method,
        path: route.pattern,
        query: request.query ?? new URLSearchParams(),
        headers: {},
        body: Buffer.from(JSON.stringify(request.body ?? {})),
      },
      scopes: ALL_SCOPES,
      now: Date.now(),
      wants: () => true,
    };
    return ((await route.handle(call)).json ?? {}) as Answer;
  }

  private translate<T>(work: () => T, notFound: () => Error = () => new LabelNotFound()): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof ApiError ? notFound() : error;
    }
  }
}

function decodeLabel(label: Answer): MailboxLabel {
  return {
    id: label.id as string,
    name: label.name as string,
    type: label.type === 'system' ? 'system' : 'user',
    messagesTotal: (label.messagesTotal as number | undefined) ?? null,
    messagesUnread: (label.messagesUnread as number | undefined) ?? null,
  };
}

const isInvalidId = (error: unknown): boolean =>
  error instanceof ProviderRejected && error.reason === 'invalidArgument';

const NOT_FOUND: Partial<Record<ProviderMethod, () => Error>> = {
  listChanges: () => new CursorInvalid(),
  getLabel: () => new LabelNotFound(),
  deleteLabel: () => new LabelNotFound(),
};

/** The port's error for a refusal of the mailbox. */
function portError(method: ProviderMethod, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 404) return (NOT_FOUND[method] ?? (() => new MessageNotFound()))();
  if (method === 'createLabel' && (error.status === 409 || /exists|conflict/i.test(error.message)))
    return new LabelExists();
  if (method === 'deleteLabel' && error.status === 400) return new LabelProtected();
  if (method === 'getLabel' && error.status === 400) return new LabelNotFound();
  if (method === 'modify' && /label/i.test(error.message)) return new LabelNotFound();
  return new ProviderRejected(error.reason, error.message);
}
