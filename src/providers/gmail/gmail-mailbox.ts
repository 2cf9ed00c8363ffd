import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { gmail_v1 } from 'googleapis/build/src/apis/gmail';
import {
  CursorInvalid,
  LabelNotFound,
  MessageNotFound,
  PartNotFound,
  ProviderRejected,
  SearchTermNotSupported,
  ThreadNotFound,
} from '../port/mail-provider.errors';
import { MailboxProvider, MailboxProviders, ProviderAccount } from '../port/mailbox-provider.port';
import type {
  CallOptions,
  ChangePage,
  DownloadedPart,
  LabelChange,
  ListMessagesRequest,
  MailboxLabel,
  MailboxProfile,
  MessageMetadata,
  MessagePage,
  MessageRef,
  MessageToInsert,
  MetadataOptions,
  RawMessage,
} from '../port/mailbox-provider.port';
import { requireReadableQuery } from '../port/readable-query';
import { plainQuotes } from '../../platform/search/query-tokens';
import { formatTerm } from '../../platform/search/format-query';
import { replaceCategoryLabels } from './category-terms';
import { toGmailQuery } from './gmail-query';
import { BatchReader } from './batch-reader';
import { encodePathId, requireAnswer, describe, GmailApi } from './gmail-api';
import { GmailLabels } from './gmail-labels';
import { WholeBody } from '../gateway/provider-transport';
import { decodeHistory } from './history-decoder';
import { decodeMetadata, decodePart, decodeRef, findPart, METADATA_FIELDS } from './message-decoder';
import { Base64FieldReader, decodeRawAnswer, RAW_FIELD } from './raw-answer';

const USER = { userId: 'me' } as const;
const MAX_IDS_PER_CHANGE = 1_000;
/** Size limit of `messages.insert` at its upload address. */
const MAX_INSERT_BYTES = 150 * 1024 * 1024;
const HISTORY_PAGE = 500;
/** Bytes expected of a message or part of unknown size. */
const TYPICAL_BYTES = 64 * 1024;
/**
 * Bytes held per byte of a message. An answer is decoded as it arrives; one of unannounced length is held twice while
 * its pieces are joined.
 */
const HELD_PER_BYTE = 2;

export interface GmailMailboxServices {
  readonly api: GmailApi;
  readonly batches: BatchReader;
  readonly labels: GmailLabels;
}

/** A Gmail mailbox through its REST API. */
export class GmailMailbox implements MailboxProvider {
  readonly maxIdsPerChange = MAX_IDS_PER_CHANGE;
  readonly rawsAtOnce = 32;
  readonly maxInsertBytes = MAX_INSERT_BYTES;

  constructor(
    private readonly account: ProviderAccount,
    private readonly services: GmailMailboxServices,
  ) {}

  async getProfile(options: CallOptions): Promise<MailboxProfile> {
    const profile = await this.services.api.call(
      describe(this.account, 'profile.get', options),
      (users, client) => users.getProfile(USER, client),
      ['historyId'],
    );
    return {
      emailAddress: profile.emailAddress ?? '',
      messagesTotal: profile.messagesTotal ?? 0,
      threadsTotal: profile.threadsTotal ?? 0,
      historyId: profile.historyId ?? '',
    };
  }

  async listMessages(request: ListMessagesRequest, options: CallOptions): Promise<MessagePage> {
    const query = request.query && (await this.toReadableQuery(request.query, options));
    if (query === null) return { messages: [], resultSizeEstimate: 0 };
    const page = await this.services.api.call(
      describe(this.account, 'messages.list', options),
      (users, client) =>
        users.messages.list(
          {
            ...USER,
            maxResults: request.maxResults,
            ...(query && { q: query }),
            ...(request.labelIds?.length && { labelIds: [...request.labelIds] }),
            ...(request.pageToken && { pageToken: request.pageToken }),
            ...(request.includeSpamTrash && { includeSpamTrash: true }),
          },
          client,
        ),
      ['messages', 'resultSizeEstimate', 'nextPageToken'],
    );
    return {
      messages: (page.messages ?? []).map(decodeRef),
      ...(page.nextPageToken && { nextPageToken: page.nextPageToken }),
      resultSizeEstimate: page.resultSizeEstimate ?? 0,
    };
  }

  async *fetchMetadata(
    ids: readonly string[],
    options: MetadataOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    const read = {
      account: this.account,
      endpoint: 'messages.get',
      ids,
      path: (id: string) => `${messagePath(id)}?format=full&fields=${METADATA_FIELDS}`,
    };
    for await (const batch of this.services.batches.read<gmail_v1.Schema$Message>(read, options)) {
      yield batch.map(decodeMetadata);
    }
  }

  fetchFull(id: string, options: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    return this.getFull(id, options) as Promise<Readonly<Record<string, unknown>>>;
  }

  fetchRaw(id: string, options: CallOptions & { expectedBytes?: number }): Promise<RawMessage> {
    return this.services.api.fetch(
      {
        ...describe(this.account, 'messages.get', options),
        expectedBytes: (options.expectedBytes ?? TYPICAL_BYTES) * HELD_PER_BYTE,
      },
      { method: 'GET', path: `${messagePath(id)}?format=raw` },
      () => new Base64FieldReader(RAW_FIELD),
      (answer) => decodeRawAnswer(answer.body),
    );
  }

  insert({ bytes, labelIds, threadId }: MessageToInsert, options: CallOptions): Promise<MessageRef> {
    const boundary = `mailroom-${randomBytes(16).toString('hex')}`;
    const resource = JSON.stringify({ labelIds, ...(threadId !== undefined && { threadId }) });
    const head =
      `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${resource}\r\n` +
      `--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`;
    return this.services.api.fetch(
      {
        ...describe(this.account, 'messages.insert', options),
        expectedBytes: bytes.length,
        repeatable: false,
      },
      {
        method: 'POST',
        path: '/upload/gmail/v1/users/me/messages?uploadType=multipart&internalDateSource=dateHeader',
        headers: { 'content-type': `multipart/related; boundary="${boundary}"` },
        body: [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)],
      },
      () => new WholeBody(),
      ({ body }) =>
        decodeRef(requireAnswer<gmail_v1.Schema$Message>(JSON.parse(body.toString('utf8')), ['id'])),
      { notFound: () => new ThreadNotFound(), invalidArgument: invalidInsert },
    );
  }

  async modify(ids: readonly string[], change: LabelChange, options: CallOptions): Promise<void> {
    const addLabelIds = [...new Set(change.add)];
    // The provider rejects a label that is both added and removed.
    const removeLabelIds = [...new Set(change.remove)].filter((label) => !addLabelIds.includes(label));
    if (addLabelIds.length + removeLabelIds.length === 0) return;
    await this.change('messages.batchModify', ids, options, (users, client) =>
      users.messages.batchModify(
        { ...USER, requestBody: { ids: [...ids], addLabelIds, removeLabelIds } },
        client,
      ),
    );
  }

  trash(ids: readonly string[], options: CallOptions): Promise<void> {
    return this.modify(ids, { add: ['TRASH'], remove: ['INBOX'] }, options);
  }

  async labelsAreFolders(): Promise<boolean> {
    return false;
  }

  async delete(ids: readonly string[], options: CallOptions): Promise<void> {
    await this.change('messages.batchDelete', ids, options, (users, client) =>
      users.messages.batchDelete({ ...USER, requestBody: { ids: [...ids] } }, client),
    );
  }

  async listChanges(
    cursor: string,
    pageToken: string | undefined,
    options: CallOptions,
  ): Promise<ChangePage> {
    const page = await this.services.api.call(
      describe(this.account, 'history.list', options),
      (users, client) =>
        users.history.list(
          { ...USER, startHistoryId: cursor, maxResults: HISTORY_PAGE, ...(pageToken && { pageToken }) },
          client,
        ),
      ['historyId'],
      { notFound: () => new CursorInvalid(), invalidArgument: invalidCursor },
    );
    return {
      changes: decodeHistory(page.history),
      ...(page.nextPageToken && { nextPageToken: page.nextPageToken }),
      cursor: page.historyId ?? cursor,
    };
  }

  isLater(cursor: string, than: string): boolean {
    return BigInt(cursor) > BigInt(than);
  }

  listLabels(options: CallOptions & { withCounts?: boolean }): Promise<readonly MailboxLabel[]> {
    return this.services.labels.list(this.account, options);
  }

  getLabel(id: string, options: CallOptions): Promise<MailboxLabel> {
    return this.services.labels.get(this.account, id, options);
  }

  createLabel(name: string, options: CallOptions): Promise<MailboxLabel> {
    return this.services.labels.create(this.account, name, options);
  }

  deleteLabel(id: string, options: CallOptions): Promise<void> {
    return this.services.labels.delete(this.account, id, options);
  }

  async downloadPart(messageId: string, partId: string, options: CallOptions): Promise<DownloadedPart> {
    // Attachment ids differ from read to read, so each download looks the part up.
    const { payload } = await this.getFull(messageId, options);
    const part = findPart(payload, partId);
    if (!part || part.parts?.length) throw new PartNotFound();
    const { filename, mimeType } = decodePart(part);
    return { filename, mimeType, bytes: await this.contentOf(messageId, part, options) };
  }

  /**
   * Checks a query, and translates its categories and spellings. Gmail finds nothing by a term that it cannot read, and everything by
   * its negation. Labels are listed only for a query that names one.
   * @returns the query to send; null when no message can match
   * @throws SearchTermNotSupported
   */
  private async toReadableQuery(asked: string, options: CallOptions): Promise<string | null> {
    const query = plainQuotes(asked);
    if (requireReadableQuery(this.account, query).length === 0) return toGmailQuery(query, this.account);
    const labels = await this.listLabels(options);
    const names = new Set(labels.map(({ name }) => toSearchForm(name)));
    const own = new Set(labels.filter(({ type }) => type === 'user').map(({ name }) => toSearchForm(name)));
    const sent = replaceCategoryLabels(query, (name) => own.has(toSearchForm(name)));
    const missing = requireReadableQuery(this.account, sent).find(
      ({ value }) => !names.has(toSearchForm(value)),
    );
    if (missing) throw new SearchTermNotSupported(formatTerm(missing), sent === query ? missing : undefined);
    return toGmailQuery(sent, this.account);
  }

  private async contentOf(
    messageId: string,
    part: gmail_v1.Schema$MessagePart,
    options: CallOptions,
  ): Promise<Buffer> {
    const { data, attachmentId, size } = part.body ?? {};
    if (typeof data === 'string') return Buffer.from(data, 'base64url');
    if (!attachmentId) return Buffer.alloc(0);
    return this.services.api.fetch(
      {
        ...describe(this.account, 'messages.attachments.get', options),
        expectedBytes: (size ?? TYPICAL_BYTES) * HELD_PER_BYTE,
      },
      {
        method: 'GET',
        path: `${messagePath(messageId)}/attachments/${encodeURIComponent(encodePathId(attachmentId))}`,
      },
      () => new Base64FieldReader('data'),
      ({ body }) => {
        requireAnswer<gmail_v1.Schema$MessagePartBody>(body.fields, ['data', 'size']);
        return body.bytes ?? Buffer.alloc(0);
      },
      { notFound: () => new PartNotFound() },
    );
  }

  private getFull(id: string, options: CallOptions): Promise<gmail_v1.Schema$Message> {
    return this.services.api.fetch(
      describe(this.account, 'messages.get', options),
      { method: 'GET', path: `${messagePath(id)}?format=full` },
      () => new WholeBody(),
      (answer) => requireAnswer<gmail_v1.Schema$Message>(JSON.parse(answer.body.toString('utf8')), ['id']),
    );
  }

  private async change(
    endpoint: string,
    ids: readonly string[],
    options: CallOptions,
    send: Parameters<GmailApi['sendCommand']>[1],
  ): Promise<void> {
    if (ids.length === 0) return;
    if (ids.length > MAX_IDS_PER_CHANGE)
      throw new RangeError(`A change takes at most ${MAX_IDS_PER_CHANGE} ids`);
    await this.services.api.sendCommand(describe(this.account, endpoint, options), send, {
      notFound: () => new MessageNotFound(),
      invalidArgument: invalidChange,
    });
  }
}

/**
 * Returns a label's name as searches write it: `Travel/Summer 2025` is `travel-summer-2025`. Gmail does not document
 * which characters become hyphens.
 */
function toSearchForm(name: string): string {
  const lower = name.normalize('NFC').toLowerCase();
  return /[\p{L}\p{N}]/u.test(lower) ? lower.replace(/[\p{P}\p{S}\p{Z}]+/gu, '-') : lower;
}

function messagePath(id: string): string {
  return `/gmail/v1/users/me/messages/${encodeURIComponent(encodePathId(id))}`;
}

function invalidCursor(message: string): CursorInvalid | ProviderRejected {
  return /history/i.test(message)
    ? new CursorInvalid()
    : new ProviderRejected(
        'invalidArgument',
        'The mail provider does not accept the change cursor or page token.',
      );
}

function invalidChange(message: string): LabelNotFound | ProviderRejected {
  return /label/i.test(message)
    ? new LabelNotFound()
    : new ProviderRejected('invalidArgument', 'The mail provider does not accept these message ids.');
}

function invalidInsert(message: string): LabelNotFound | ThreadNotFound | ProviderRejected {
  if (/label/i.test(message)) return new LabelNotFound();
  if (/thread/i.test(message)) return new ThreadNotFound();
  return new ProviderRejected('invalidArgument', 'The mail provider does not accept this message.');
}

/**
 * Creates mailboxes of the Gmail API, for `ProviderMailboxes`. It is not what `MailboxProviders` is bound to: features get
 * `ProviderMailboxes`, which chooses between this class and `ImapMailboxes`.
 */
@Injectable()
export class GmailMailboxes extends MailboxProviders {
  constructor(
    private readonly api: GmailApi,
    private readonly batches: BatchReader,
    private readonly labels: GmailLabels,
  ) {
    super();
  }

  forAccount(account: ProviderAccount): MailboxProvider {
    return new GmailMailbox(account, { api: this.api, batches: this.batches, labels: this.labels });
  }
}
