import { createHash, type Hash } from 'node:crypto';
import MimeNode from 'nodemailer/lib/mime-node';
import { statesNotKept } from '../mbox/message-states';
import { addressesOf, senderOf } from './mapi-addresses';
import { labelsOfCategories } from './categories';
import type { MapiAttachment, MapiMessage } from './mapi-message';
import { charsetOfCodepage, type MapiProperties } from './mapi-properties';
import { meetingCalendarOf } from './meeting-calendar';
import { readMsg } from './msg-file';
import { oneLine } from './one-line';
import type { RebuiltMessage } from './rebuilt-message';
import { readRtfBody } from './rtf-body';
import { readTransportHeaders, type TransportHeaders } from './transport-headers';

/** Bits of PR_MESSAGE_FLAGS, and PR_FLAG_STATUS of a message that is flagged and not yet done (MS-OXCMSG, MS-OXOFLAG). */
const READ = 0x01;
const UNSENT = 0x08;
const FLAGGED = 2;
/** PR_LAST_VERB_EXECUTED (MS-OXOMSG §2.2.1.4). */
const REPLIED = [102, 103];
const FORWARDED = 104;
const UTF8_TEXT = 'text/plain; charset=utf-8';
const UTF8_HTML = 'text/html; charset=utf-8';

/**
 * Rebuilds the message of a `.msg` file.
 * @throws OutlookDamage when it is none, or damaged
 */
export const rebuildFromMsg = (bytes: Buffer): Promise<RebuiltMessage> => rebuildMessage(readMsg(bytes));

/**
 * Rebuilds a message from what Outlook keeps of it: the header fields as they were received where they are kept, the bodies,
 * and the attachments. Nothing is invented: what is not there (a Message-ID, a Date) is left out. See ADR 111.
 */
export async function rebuildMessage(message: MapiMessage): Promise<RebuiltMessage> {
  const { properties } = message;
  const flags = properties.readNumber('messageFlags') ?? 0;
  const labelIds = [
    ...(flags & READ ? [] : ['UNREAD']),
    ...(properties.readNumber('flagStatus') === FLAGGED ? ['STARRED'] : []),
    ...(flags & UNSENT ? ['DRAFT'] : []),
    ...labelsOfCategories(properties),
  ];
  const verb = properties.readNumber('lastVerb') ?? 0;
  const lost = { attachments: 0 };
  return {
    raw: await build(message, lost),
    labelIds,
    notKept: statesNotKept(REPLIED.includes(verb), verb === FORWARDED),
    receivedAt: properties.readTime('messageDeliveryTime') ?? properties.readTime('clientSubmitTime'),
    lostAttachments: lost.attachments,
  };
}

interface Lost {
  attachments: number;
}

async function build(message: MapiMessage, lost: Lost): Promise<Buffer> {
  const { properties } = message;
  const headers = readTransportHeaders(properties.readText('transportHeaders') ?? '');
  const signed = signedBody(message, headers);
  const body = signed ?? (await encode(await partsOf(message, lost)));
  const fields = Buffer.from(headers.text + missingFields(message, headers), 'utf8');
  return Buffer.concat([fields, Buffer.from('MIME-Version: 1.0\r\n'), body]);
}

/** Header fields of a message that are not among those that were received with it. */
function missingFields({ properties, recipients }: MapiMessage, { names }: TransportHeaders): string {
  const node = new MimeNode('text/plain', { keepBcc: true });
  const lines: string[] = [];
  const add = (name: string, value: Parameters<MimeNode['setHeader']>[1]): void => {
    if (names.has(name.toLowerCase()) || value === null || value === '') return;
    if (Array.isArray(value) && value.length === 0) return;
    node.setHeader(name, value);
    const built = fieldsOf(node.buildHeaders()).find((field) =>
      field.toLowerCase().startsWith(`${name.toLowerCase()}:`),
    );
    if (built) lines.push(`${built}\r\n`);
  };
  const { from, sender } = senderOf(properties);
  const date = properties.readTime('clientSubmitTime') ?? properties.readTime('messageDeliveryTime');
  add('From', from ? [from] : null);
  add('Sender', from && sender && sender.address !== from.address ? [sender] : null);
  for (const field of ['To', 'Cc', 'Bcc'] as const)
    add(field, addressesOf({ properties, recipients }, field));
  add('Subject', oneLine(properties.readText('subject') ?? properties.readText('normalizedSubject')));
  add('Date', date ? date.toUTCString().replace('GMT', '+0000') : null);
  add('Message-ID', messageIds(properties.readText('internetMessageId'))[0] ?? null);
  add('In-Reply-To', messageIds(properties.readText('inReplyTo')).join(' '));
  add('References', messageIds(properties.readText('internetReferences')).join(' '));
  add('Importance', { 0: 'low', 2: 'high' }[properties.readNumber('importance') ?? 1] ?? null);
  add(
    'Sensitivity',
    { 1: 'Personal', 2: 'Private', 3: 'Company-Confidential' }[properties.readNumber('sensitivity') ?? 0] ??
      null,
  );
  add('Thread-Topic', oneLine(properties.readText('conversationTopic')));
  add('Thread-Index', properties.readBytes('conversationIndex')?.toString('base64') ?? null);
  return lines.join('');
}

const messageIds = (text: string | null): string[] => text?.match(/<[^<>\s]+>/g) ?? [];

/** The fields of a header block, folded lines together. */
const fieldsOf = (headers: string): string[] =>
  headers.split(/\r\n(?![ \t])/).filter((field) => field !== '');

/**
 * The body of a message that was signed or encrypted with S/MIME: Outlook keeps it as one attachment, so its bytes are those
 * that were signed (MS-OXOSMIME).
 */
function signedBody({ properties, attachments }: MapiMessage, headers: TransportHeaders): Buffer | null {
  const isSmime = /^IPM\.Note\.(?:.*\.)?SMIME(?:\.|$)/i.test(properties.readText('messageClass') ?? '');
  const data = attachments[0]?.data;
  if (!isSmime || attachments.length !== 1 || !data) return null;
  const type = attachments[0]!.properties.readText('attachMimeTag')?.toLowerCase() ?? '';
  if (
    type === 'multipart/signed' ||
    /^content-type:\s*multipart\/signed/i.test(data.toString('latin1', 0, 100))
  ) {
    return /^content-type:/i.test(data.toString('latin1', 0, 13)) ? data : null;
  }
  const isOpaque = /^application\/(?:x-)?pkcs7-mime/i.test(headers.contentType ?? type);
  const contentType = isOpaque ? oneLine(headers.contentType) : 'application/pkcs7-mime; name="smime.p7m"';
  const lines = data.toString('base64').match(/.{1,76}/g) ?? [];
  const head = `Content-Type: ${contentType ?? type}\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
  return Buffer.from(`${head}${lines.join('\r\n')}\r\n`, 'latin1');
}

/** A part of a MIME message before it is encoded. */
type Part =
  | { readonly contentType: string; readonly parts: readonly Part[] }
  | {
      /** Undefined: by the ending of the name. */
      readonly contentType: string | undefined;
      readonly content: Buffer;
      readonly filename?: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** The parts of a message: bodies, pictures of the HTML body, attachments; as deep as they have to be (RFC 2046, 2387). */
async function partsOf(message: MapiMessage, lost: Lost): Promise<Part> {
  const bodies = bodiesOf(message.properties);
  const html = bodies.find(({ contentType }) => contentType.startsWith('text/html'));
  const related: Part[] = [];
  const mixed: Part[] = [];
  for (const attachment of message.attachments) {
    const contentId = contentIdOf(attachment);
    const isInline = contentId !== '' && html !== undefined && html.content.includes(`cid:${contentId}`);
    const part = await attachmentPart(attachment, isInline ? contentId : null, lost);
    if (part) (isInline ? related : mixed).push(part);
  }
  const calendar = meetingCalendarOf(message);
  if (calendar)
    bodies.push({
      contentType: `text/calendar; charset=utf-8; method=${calendar.method}`,
      content: Buffer.from(calendar.text, 'utf8'),
    });
  let part: Part = bodies.length === 1 ? bodies[0]! : { contentType: 'multipart/alternative', parts: bodies };
  if (related.length > 0) part = { contentType: 'multipart/related', parts: [part, ...related] };
  if (mixed.length > 0) part = { contentType: 'multipart/mixed', parts: [part, ...mixed] };
  return part;
}

/** Encodes a part with its header fields. Its boundaries follow from its bytes, so that they are the same each time. */
async function encode(part: Part): Promise<Buffer> {
  const hash = createHash('sha256');
  hashContents(part, hash);
  const options = { baseBoundary: hash.digest('hex').slice(0, 32), ...NO_ACCESS };
  const root = nodeOf(part, (contentType, more) => new MimeNode(contentType, { ...options, ...more }));
  const built = await root.build();
  const end = built.indexOf('\r\n\r\n');
  // The library adds a Date, a Message-ID and others, which the message does not have.
  const fields = fieldsOf(built.toString('latin1', 0, end)).filter((field) => /^content-/i.test(field));
  return Buffer.concat([Buffer.from(`${fields.join('\r\n')}\r\n`, 'latin1'), built.subarray(end + 2)]);
}

const NO_ACCESS = { disableFileAccess: true, disableUrlAccess: true };

function nodeOf(
  part: Part,
  create: (contentType: string | undefined, options: { filename?: string }) => MimeNode,
): MimeNode {
  if ('parts' in part) {
    const node = create(part.contentType, {});
    for (const each of part.parts)
      nodeOf(each, (contentType, options) => node.createChild(contentType, options));
    return node;
  }
  const node = create(part.contentType, part.filename ? { filename: part.filename } : {});
  for (const [name, value] of Object.entries(part.headers ?? {})) node.setHeader(name, value);
  return node.setContent(part.content);
}

function hashContents(part: Part, hash: Hash): void {
  if (!('parts' in part))
    hash.update(`${part.contentType} ${part.content.length} ${part.filename ?? ''}\n`).update(part.content);
  else for (const each of part.parts) hashContents(each, hash);
}

type Body = { readonly contentType: string; readonly content: Buffer };

function bodiesOf(properties: MapiProperties): Body[] {
  const rtf = properties.readBytes('rtfCompressed');
  const html = htmlOf(properties);
  const unwrapped = rtf && !html ? readRtfBody(rtf) : null;
  const plain = properties.readText('body') ?? (unwrapped?.kind === 'text' ? unwrapped.text : null);
  const bodies: Body[] = [];
  if (plain !== null) bodies.push({ contentType: UTF8_TEXT, content: textBytes(plain) });
  if (html) bodies.push(html);
  if (unwrapped?.kind === 'html') bodies.push({ contentType: UTF8_HTML, content: textBytes(unwrapped.text) });
  if (unwrapped?.kind === 'rtf') bodies.push({ contentType: 'text/rtf', content: unwrapped.rtf });
  return bodies.length > 0 ? bodies : [{ contentType: UTF8_TEXT, content: Buffer.alloc(0) }];
}

/** The HTML body. Its bytes are kept in the charset that they have. */
function htmlOf(properties: MapiProperties): Body | null {
  const text = properties.readText('html');
  if (text !== null && text !== '') return { contentType: UTF8_HTML, content: textBytes(text) };
  const content = properties.readBytes('html');
  if (!content || content.length === 0) return null;
  const charset = charsetOfCodepage(properties.readNumber('internetCodepage') ?? properties.codepage);
  return { contentType: `text/html; charset=${charset ?? 'utf-8'}`, content };
}

const textBytes = (text: string): Buffer => Buffer.from(text.replace(/\r\n?|\n/g, '\r\n'), 'utf8');

const contentIdOf = ({ properties }: MapiAttachment): string =>
  /^<?([^\s<>]+)>?$/.exec(oneLine(properties.readText('attachContentId')) ?? '')?.[1] ?? '';

/** @param contentId of a picture that the HTML body shows; null: it is shown as an attachment */
async function attachmentPart(
  { properties, data, message }: MapiAttachment,
  contentId: string | null,
  lost: Lost,
): Promise<Part | null> {
  const names = (['attachLongFilename', 'attachFilename', 'displayName'] as const).map((name) =>
    oneLine(properties.readText(name)),
  );
  const filename = names.find(Boolean)?.replace(/^.*[\\/]/, '') ?? '';
  if (message) {
    const subject = oneLine(message.properties.readText('subject')) ?? '';
    const headers = { 'Content-Disposition': 'attachment', 'Content-Transfer-Encoding': '8bit' };
    const name = `${subject || filename || 'message'}.eml`;
    return { contentType: 'message/rfc822', content: await build(message, lost), filename: name, headers };
  }
  if (!data) {
    lost.attachments += 1;
    return null;
  }
  const tag = properties.readText('attachMimeTag') ?? '';
  const isType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(tag) && !/^(?:multipart|message)\//i.test(tag);
  const contentType = isType ? tag : filename === '' ? 'application/octet-stream' : undefined;
  const headers = {
    'Content-Disposition': contentId === null ? 'attachment' : 'inline',
    'Content-Transfer-Encoding': 'base64',
    ...(contentId === null ? {} : { 'Content-Id': `<${contentId}>` }),
  };
  return { contentType, content: data, ...(filename ? { filename } : {}), headers };
}
