import { createHash } from 'node:crypto';
import { isShownAsText, listAttachments, openedLeavesOf, type AttachmentPart } from './attachment-parts';
import { capUtf8, MAX_TEXT_BYTES, visibleText } from './body-text';
import { attachedText } from './attached-text';
import { calendarLines } from './calendar/calendar-text';
import { contentHash } from './content-hash';
import { Defects } from './defects';
import { formatAddress, parseAddressList } from './address-list';
import { decodeHeaderText, singleLine } from './header-text';
import { firstField, type HeaderFields } from './header-block';
import { readMailDate } from './mail-date';
import { readMessage } from './contained-parts';
import { lastReceived } from './message-dates';
import type { MimeEntity } from './mime-tree';

const MAX_LINE = 998;
const MAX_LIST = 10_000;
const MAX_SNIPPET = 200;
const MAX_RECIPIENTS = 1_000;
const MAX_ADDRESS_LENGTH = 500;
/** Mailers pad their preview text with these to keep the body out of it. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

export interface ParsedMessage {
  /** Message-ID, In-Reply-To and References as written, unfolded; of long References the end is kept. */
  messageId: string | null;
  inReplyTo: string | null;
  references: string | null;
  /** At most 998 characters. */
  subject: string;
  /** The first From address as `Name <address>`; empty if there is none. */
  sender: string;
  /** All To addresses, joined by `, `; at most 10,000 characters. */
  recipient: string;
  /** To, Cc and Bcc, each as `Name <address>`; at most 1,000. */
  recipients: string[];
  headerLines: HeaderLines;
  /** The Date header, null when missing or no date. */
  date: Date | null;
  /** The time at which the last hop received the message (`lastReceived`); null when no Received header tells. */
  receivedAt: Date | null;
  /** The first 200 characters of the visible text on one line. */
  snippet: string;
  /** Visible text, and the words of invitations, at most 4 MiB of UTF-8. */
  text: string;
  /** Text of attachments that are text; see `attachedText`. */
  attachedText: string;
  attachments: AttachmentPart[];
  /** Whether a part has a file name and is not an inline image referenced by the HTML. */
  hasAttachments: boolean;
  /** Lower-case hex of the raw bytes. */
  sha256: string;
  /** Equal for messages of the same content, see `contentHash`; of a message that is not read whole, of its bytes. */
  contentSha256: string;
  sizeBytes: number;
  /** Defects, in words; at most 20 entries. */
  defects: string[];
}

/** Fields of the header that are searched one by one, decoded; addresses as `Name <address>`, joined by `, `. */
export interface HeaderLines {
  to: string;
  cc: string;
  bcc: string;
  /** The sender when there is no Reply-To, as replies go there. */
  replyTo: string;
  deliveredTo: string;
  /** List-Id. */
  list: string;
}

/**
 * Parses a raw message (RFC 5322, MIME) of any quality. Never throws and never copies whole bodies: parts that cannot
 * be understood are left out and named in `defects`. Time is linear in the size of the message.
 */
export function parseMessage(raw: Buffer): ParsedMessage {
  const defects = new Defects();
  const root = readMessage(raw, defects);
  const shown = visibleText(root, isShownAsText, defects);
  const text = capUtf8(
    [shown, calendarLines(root)].filter((lines) => lines !== '').join('\n\n'),
    MAX_TEXT_BYTES,
  );
  const { attachments, hasAttachments } = listAttachments(raw, root, defects);
  const sha256 = createHash('sha256').update(raw).digest('hex');
  if (raw.length === 0) defects.add('empty message');
  return {
    ...readHeaderFields(root, defects),
    snippet: snippetOf(text),
    text,
    attachedText: attachedText(root, defects),
    attachments,
    hasAttachments,
    sha256,
    contentSha256: contentHash(raw, root, defects) ?? sha256,
    sizeBytes: raw.length,
    defects: defects.list(),
  };
}

/** The values of a message that are in its header. */
export type ParsedHeader = Pick<
  ParsedMessage,
  | 'messageId'
  | 'inReplyTo'
  | 'references'
  | 'subject'
  | 'sender'
  | 'recipient'
  | 'recipients'
  | 'headerLines'
  | 'date'
  | 'receivedAt'
>;

/** Reads the header of a message; what is wrong or doubtful in it is noted in the defects. */
export function readHeaderFields(root: MimeEntity, defects: Defects): ParsedHeader {
  const { fields } = root;
  const charset = charsetOf(root);
  const [to, cc, bcc] = ['to', 'cc', 'bcc'].map((name) => addressesOf(fields, name, defects, charset)) as [
    string[],
    string[],
    string[],
  ];
  const replyTo = addressesOf(fields, 'reply-to', new Defects(), charset);
  const sender = senderOf(fields, defects, charset);
  return {
    messageId: identifierOf(fields, 'message-id'),
    inReplyTo: identifierOf(fields, 'in-reply-to'),
    references: referencesOf(fields),
    subject: cut(decodeHeaderText(firstField(fields, 'subject') ?? '', defects, charset), MAX_LINE),
    sender,
    recipient: cut(to.join(', '), MAX_LIST),
    recipients: [...to, ...cc, ...bcc].slice(0, MAX_RECIPIENTS),
    headerLines: {
      to: to.join(', '),
      cc: cc.join(', '),
      bcc: bcc.join(', '),
      replyTo: replyTo.join(', ') || sender,
      deliveredTo: linesOf(fields, 'delivered-to', charset),
      list: linesOf(fields, 'list-id', charset),
    },
    date: dateOf(fields, defects),
    receivedAt: lastReceived(fields),
  };
}

/** All fields of a name as text, at most 10,000 characters. */
function linesOf(fields: HeaderFields, name: string, charset: string | null): string {
  const values = (fields.get(name) ?? []).slice(0, MAX_RECIPIENTS);
  return cut(values.map((value) => decodeHeaderText(value, undefined, charset)).join(', '), MAX_LIST);
}

/** The charset of the first text, which programs that write 8-bit headers use for those as well. */
function charsetOf(root: MimeEntity): string | null {
  const text = openedLeavesOf(root).find(({ mediaType }) => mediaType.startsWith('text/'));
  return text?.contentType.parameters.get('charset') ?? null;
}

function identifierOf(fields: HeaderFields, name: string): string | null {
  const value = singleLine(firstField(fields, name) ?? '');
  return value === '' ? null : cut(value, MAX_LINE);
}

/** The newest ancestors stand last: when the list is too long they are the ones kept. */
function referencesOf(fields: HeaderFields): string | null {
  const value = singleLine(firstField(fields, 'references') ?? '');
  if (value.length <= MAX_LIST) return value === '' ? null : value;
  const tail = value.slice(-MAX_LIST);
  return tail.slice(Math.max(0, tail.indexOf('<')));
}

function senderOf(fields: HeaderFields, defects: Defects, charset: string | null): string {
  const from = firstField(fields, 'from') ?? firstField(fields, 'sender') ?? '';
  const first = parseAddressList(from, defects, charset)[0];
  return cut(first ? formatAddress(first) : decodeHeaderText(from, defects, charset), MAX_LINE);
}

function addressesOf(fields: HeaderFields, name: string, defects: Defects, charset: string | null): string[] {
  return (fields.get(name) ?? [])
    .flatMap((value) => parseAddressList(value, defects, charset))
    .slice(0, MAX_RECIPIENTS)
    .map((address) => cut(formatAddress(address), MAX_ADDRESS_LENGTH));
}

function dateOf(fields: HeaderFields, defects: Defects): Date | null {
  const value = firstField(fields, 'date');
  if (value === null) return null;
  const read = readMailDate(decodeHeaderText(value));
  if (!read) defects.addDoubt('date', 'Date header is not a date');
  else if (read.doubt) defects.addDoubt('date', `Date header is doubtful: ${read.doubt}`);
  return read?.date ?? null;
}

function snippetOf(text: string): string {
  // Most texts say enough in their first lines; padding may need more of them.
  const short = singleLine(text.slice(0, MAX_SNIPPET * 3).replace(INVISIBLE, ''));
  const line =
    short.length > MAX_SNIPPET + 1
      ? short
      : singleLine(text.slice(0, MAX_SNIPPET * 20).replace(INVISIBLE, ''));
  return cut(line, MAX_SNIPPET).trimEnd();
}

/** Cuts to so many UTF-16 units, but not through a surrogate pair. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}
