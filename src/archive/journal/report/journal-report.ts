import { writtenText } from '../../../platform/mime/body-text';
import { Defects } from '../../../platform/mime/defects';
import { firstField } from '../../../platform/mime/header-block';
import { isMessagePart, type MimeEntity, readMimeTree } from '../../../platform/mime/mime-tree';
import { decodeBounded, UNENCODED } from '../../../platform/mime/transfer-decoder';
import { type MailEnvelope, uniteAddresses } from '../../mails/mail-envelope';

/** Longest text of a report that is read: 10,000 recipients fit. */
const MAX_TEXT = 1024 * 1024;
/** Longest address (RFC 5321, 4.5.3.1). */
const MAX_ADDRESS = 320;
/** `Name: value`, as each line of a report's text is. */
const FIELD = /^([A-Za-z][\w-]{0,40}):[ \t]*(.*)$/;
/** Exchange appends the list that a recipient was reached by, and the recipient that forwards. */
const HISTORY = /,\s*(?:Expanded|Forwarded)\s*:.*$/i;

/** A report and the message in it. */
export interface UnwrappedReport {
  /** The bytes of the message, as the report has them. */
  readonly message: Buffer;
  readonly envelope: MailEnvelope;
}

/**
 * Unwraps a journal report of Exchange: a multipart whose text names sender and recipients, and whose other part is the message.
 * Null for a report that has more than that, because the rest would be lost: a further part, text that is no list of fields, or a
 * message whose Message-ID differs from the report's.
 * @param raw a message whose header has `X-MS-Journal-Report`
 */
export function unwrapReport(raw: Buffer): UnwrappedReport | null {
  const root = readMimeTree(raw, new Defects());
  if (root.children?.length !== 2) return null;
  const text = root.children.find(({ mediaType }) => mediaType === 'text/plain');
  const part = root.children.find(isMessagePart);
  if (!text || !part) return null;
  const fields = readFields(writtenText(text, MAX_TEXT, new Defects()));
  const message = contentOf(part);
  if (!fields || message.length === 0) return null;
  const stated = fields.get('message-id')?.[0] ?? '';
  const embedded = messageIdOf(message);
  if (stated !== '' && embedded !== null && bare(stated) !== bare(embedded)) return null;
  return { message, envelope: envelopeOf(fields) };
}

/** Values by lower-case names; null when there is other text, or no sender. */
function readFields(text: string): Map<string, string[]> | null {
  const fields = new Map<string, string[]>();
  let isAfterSubject = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue;
    // A subject may have been broken into several lines.
    if (isAfterSubject && /^[ \t]/.test(line)) continue;
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    const key = name.toLowerCase();
    isAfterSubject = key === 'subject';
    fields.set(key, [...(fields.get(key) ?? []), value.trim()]);
  }
  return fields.has('sender') ? fields : null;
}

function envelopeOf(fields: ReadonlyMap<string, readonly string[]>): MailEnvelope {
  const addresses = (name: string): string[] =>
    uniteAddresses((fields.get(name) ?? []).map(addressOf).filter((address) => address !== ''));
  return {
    kind: 'report',
    sender: addresses('sender')[0] ?? null,
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
    recipients: addresses('recipient'),
  };
}

const addressOf = (value: string): string =>
  (/<([^<>\s]+)>\s*$/.exec(value.replace(HISTORY, ''))?.[1] ?? value.replace(HISTORY, '').trim()).slice(
    0,
    MAX_ADDRESS,
  );

function contentOf({ source, bodyStart, bodyEnd, encoding }: MimeEntity): Buffer {
  const body = source.subarray(bodyStart, bodyEnd);
  return UNENCODED.has(encoding) ? body : decodeBounded(body, encoding, body.length);
}

const messageIdOf = (message: Buffer): string | null =>
  firstField(readMimeTree(message, new Defects()).fields, 'message-id');

const bare = (id: string): string => id.trim().replace(/^<|>$/g, '');
