import { ApiError } from '../http/api-error';
import { boundaryOf } from '../http/batch';
import type { ApiRequest } from '../http/api-message';
import { parseHeaderBlock } from '../mime/header-fields';
import { splitMultipart } from '../mime/mime-tree';
import { factsOf, headerDateOf } from '../mime/message-facts';
import type { Mailbox, MessageNumber } from '../mailbox/mailbox';
import { jsonBody, ok, optionalString, stringList, type GmailCall, type GmailRoute } from './gmail-call';

interface Upload {
  readonly raw: Buffer;
  readonly resource: Record<string, unknown>;
}

/** The message in the body: `raw` in JSON, plain media, or metadata and media as multipart/related. */
function readUpload(request: ApiRequest): Upload {
  switch (request.query.get('uploadType')) {
    case 'media':
      return { raw: request.body, resource: {} };
    case 'multipart':
      return readRelated(request);
    case null: {
      const resource = jsonBody(request);
      const raw = Buffer.from(optionalString(resource, 'raw') ?? '', 'base64url');
      return { raw, resource };
    }
    default:
      throw ApiError.invalidArgument('Unsupported uploadType');
  }
}

function readRelated(request: ApiRequest): Upload {
  const { body } = request;
  const ranges = splitMultipart(body, 0, body.length, boundaryOf(request.headers['content-type']));
  const [metadata, media] = ranges.map(({ start, end }) =>
    body.subarray(parseHeaderBlock(body, start, end).bodyStart, end),
  );
  if (metadata === undefined || media === undefined)
    throw ApiError.invalidArgument('Media multipart is malformed');
  return { raw: Buffer.from(media), resource: jsonBody({ ...request, body: metadata }) };
}

function store(
  call: GmailCall,
  defaults: { labelIds: readonly string[]; dateSource: 'dateHeader' | 'receivedTime' },
): Record<string, unknown> {
  const { mailbox, request, now } = call;
  const { raw, resource } = readUpload(request);
  if (raw.length === 0)
    throw ApiError.invalidArgument(
      "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    );
  const labelIds = resource.labelIds === undefined ? defaults.labelIds : stringList(resource, 'labelIds');
  for (const id of labelIds) {
    if (id !== 'SENT' && id !== 'DRAFT') mailbox.labels.requireMutable(id);
  }
  const twin = call.oddity === 'foldTwin' ? twinOf(mailbox, raw) : undefined;
  if (twin !== undefined) return insertResource(mailbox, twin);
  const source = request.query.get('internalDateSource') ?? defaults.dateSource;
  const number = mailbox.add({
    source: { bytes: applyOddity(call, raw) },
    labelIds,
    internalDate: (source === 'dateHeader' ? headerDateOf(raw) : undefined) ?? now,
    threadId: optionalString(resource, 'threadId'),
  });
  return insertResource(mailbox, number);
}

function insertResource(mailbox: Mailbox, number: MessageNumber): Record<string, unknown> {
  const labelIds = [...mailbox.labelsOf(number)];
  return { id: mailbox.idOf(number), threadId: mailbox.threadIdOf(number), labelIds };
}

function twinOf(mailbox: Mailbox, raw: Buffer): MessageNumber | undefined {
  const { messageId } = factsOf(raw);
  if (messageId === '') return undefined;
  for (const number of mailbox.newestFirst())
    if (mailbox.factsOf(number).messageId === messageId) return number;
  return undefined;
}

/** The message as it is kept: people have seen fields added to it, and its text changed. */
function applyOddity({ oddity }: GmailCall, raw: Buffer): Buffer {
  if (oddity === 'addFields') return Buffer.concat([Buffer.from('X-Received: by 2002:a17:90b\r\n'), raw]);
  if (oddity === 'addMessageId')
    return Buffer.concat([Buffer.from(`Message-ID: <added.${Date.now()}@mail.sandbox.test>\r\n`), raw]);
  if (oddity === 'alterBytes') return Buffer.concat([raw, Buffer.from('\r\n--\r\nscanned\r\n')]);
  return raw;
}

export const messageUploadRoutes: readonly GmailRoute[] = [
  {
    endpoint: 'messages.insert',
    method: 'POST',
    pattern: 'messages',
    scopes: ['full', 'modify', 'insert'],
    handle: (call) => ok(store(call, { labelIds: [], dateSource: 'receivedTime' })),
  },
  {
    endpoint: 'messages.import',
    method: 'POST',
    pattern: 'messages/import',
    scopes: ['full', 'modify', 'insert'],
    handle: (call) => ok(store(call, { labelIds: ['INBOX', 'UNREAD'], dateSource: 'dateHeader' })),
  },
];
