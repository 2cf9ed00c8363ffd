import { detectMimeType } from 'libmime';
import { createPart } from '../created-part';
import type { MimeEntity } from '../mime-tree';
import { decompressRtf } from './compressed-rtf';
import { rtfToText } from './rtf-text';
import {
  ATTRIBUTE,
  charsetOfCodepage,
  decodeText,
  readAttributes,
  readProperties,
  textOf,
  TYPE,
  type TnefAttribute,
  type TnefProperty,
} from './tnef-file';

const PROPERTY = {
  subject: 0x0037,
  submitTime: 0x0039,
  sentByName: 0x0042,
  sentByEmail: 0x0065,
  sentBySmtp: 0x5d02,
  senderName: 0x0c1a,
  senderEmail: 0x0c1f,
  senderSmtp: 0x5d01,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  displayName: 0x3001,
  attachData: 0x3701,
  attachFilename: 0x3704,
  attachLongFilename: 0x3707,
  attachMimeType: 0x370e,
  attachContentId: 0x3712,
  codepage: 0x3fde,
} as const;

const MAX_NESTING = 5;
/** Most files of one message, and those in messages in it. */
const MAX_FILES = 1_000;
/** Before an embedded message, its interface (MS-OXTNEF §2.1.3.4). */
const INTERFACE_BYTES = 16;
const EPOCH_1601_MS = 11_644_473_600_000;

/**
 * Reads a file of Outlook (winmail.dat, MS-OXTNEF) as a multipart of its text and its files, of which the bytes are not copied.
 * Null when it is none. Never throws; what is not whole is left out.
 * @param partId number of the part, below which its files are numbered from 1
 * @param withBody whether its text is wanted: the message has no other
 */
export function tnefContent(file: Buffer, partId: string, withBody: boolean): MimeEntity | null {
  return new TnefReader(file).readMessage(0, file.length, partId, withBody, 0);
}

interface Attachment {
  title: string;
  data: TnefAttribute | null;
  properties: Map<number, TnefProperty>;
}

class TnefReader {
  private files = 0;

  constructor(private readonly file: Buffer) {}

  readMessage(
    start: number,
    end: number,
    partId: string,
    withBody: boolean,
    nesting: number,
  ): MimeEntity | null {
    const attributes = readAttributes(this.file, start, end);
    if (attributes === null || attributes.length === 0) return null;
    const charset = this.charsetOf(attributes);
    const message = attributes.find(({ id }) => id === ATTRIBUTE.messageProperties);
    const properties = message ? readProperties(this.file, message) : new Map<number, TnefProperty>();
    const plain = attributes.find(({ id }) => id === ATTRIBUTE.body);
    const body = withBody ? this.bodyOf(properties, plain, charset, partId) : null;
    const content = createPart({
      source: this.file,
      partId,
      mediaType: 'multipart/mixed',
      start,
      end,
      fields: this.headingOf(properties, attributes, charset),
    });
    const files = this.attachmentsOf(attributes, charset).flatMap(
      (attachment, index) => this.fileOf(attachment, charset, `${partId}.${index + 1}`, nesting) ?? [],
    );
    content.children = body ? [body, ...files] : files;
    return content;
  }

  private charsetOf(attributes: readonly TnefAttribute[]): string {
    const codepage = attributes.find(({ id }) => id === ATTRIBUTE.codepage);
    const isWhole = codepage && codepage.end - codepage.start >= 4;
    return charsetOfCodepage(isWhole ? this.file.readUInt32LE(codepage.start) : 1252);
  }

  /** The richest text: HTML, RTF, or plain. */
  private bodyOf(
    properties: ReadonlyMap<number, TnefProperty>,
    attribute: TnefAttribute | undefined,
    charset: string,
    partId: string,
  ): MimeEntity | null {
    const create = (mediaType: string, text: Buffer, textCharset: string): MimeEntity =>
      createPart({
        source: text,
        partId: `${partId}.0`,
        mediaType,
        start: 0,
        end: text.length,
        charset: textCharset,
      });
    const html = properties.get(PROPERTY.html);
    if (html?.type === TYPE.binary && html.end > html.start) {
      const bytes = this.file.subarray(html.start, html.end);
      return create('text/html', bytes, this.bodyCharset(properties, charset));
    }
    const markup = textOf(this.file, html, charset);
    if (markup.trim() !== '') return create('text/html', Buffer.from(markup), 'utf-8');
    const rtf = properties.get(PROPERTY.rtf);
    const document = rtf && decompressRtf(this.file.subarray(rtf.start, rtf.end));
    if (document) {
      const { kind, text } = rtfToText(document);
      if (text !== '')
        return create(kind === 'html' ? 'text/html' : 'text/plain', Buffer.from(text), 'utf-8');
    }
    const text =
      textOf(this.file, properties.get(PROPERTY.body), charset) ||
      (attribute ? decodeText(this.file.subarray(attribute.start, attribute.end), charset) : '');
    return text.trim() === '' ? null : create('text/plain', Buffer.from(text), 'utf-8');
  }

  private bodyCharset(properties: ReadonlyMap<number, TnefProperty>, charset: string): string {
    const codepage = properties.get(PROPERTY.codepage);
    return codepage?.type === 0x03 ? charsetOfCodepage(this.file.readUInt32LE(codepage.start)) : charset;
  }

  private headingOf(
    properties: ReadonlyMap<number, TnefProperty>,
    attributes: readonly TnefAttribute[],
    charset: string,
  ): Record<string, string> {
    const text = (id: number): string => textOf(this.file, properties.get(id), charset);
    const subject = attributes.find(({ id }) => id === ATTRIBUTE.subject);
    const name = text(PROPERTY.sentByName) || text(PROPERTY.senderName);
    const address = [PROPERTY.sentBySmtp, PROPERTY.senderSmtp, PROPERTY.sentByEmail, PROPERTY.senderEmail]
      .map(text)
      .find((value) => value.includes('@'));
    const values = {
      from: address === undefined ? name : `${quoted(name)} <${address}>`,
      to: text(PROPERTY.displayTo),
      cc: text(PROPERTY.displayCc),
      date: this.dateOf(properties.get(PROPERTY.submitTime)),
      subject:
        text(PROPERTY.subject) ||
        (subject ? decodeText(this.file.subarray(subject.start, subject.end), charset) : ''),
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  }

  private dateOf(property: TnefProperty | undefined): string {
    if (property?.type !== 0x40) return '';
    // Counted in units of 100 ns since 1601.
    const time = Number(this.file.readBigUInt64LE(property.start) / 10_000n) - EPOCH_1601_MS;
    const date = new Date(time);
    return Number.isNaN(date.getTime()) ? '' : date.toUTCString();
  }

  private attachmentsOf(attributes: readonly TnefAttribute[], charset: string): Attachment[] {
    const attachments: Attachment[] = [];
    for (const attribute of attributes) {
      if (attribute.id === ATTRIBUTE.attachRendData)
        attachments.push({ title: '', data: null, properties: new Map() });
      const current = attachments.at(-1);
      if (!current) continue;
      const bytes = this.file.subarray(attribute.start, attribute.end);
      if (attribute.id === ATTRIBUTE.attachTitle) current.title = decodeText(bytes, charset);
      else if (attribute.id === ATTRIBUTE.attachData) current.data = attribute;
      else if (attribute.id === ATTRIBUTE.attachProperties)
        current.properties = readProperties(this.file, attribute);
    }
    return attachments;
  }

  private fileOf(
    { title, data, properties }: Attachment,
    charset: string,
    partId: string,
    nesting: number,
  ): MimeEntity | null {
    this.files += 1;
    if (this.files > MAX_FILES) return null;
    const text = (id: number): string => textOf(this.file, properties.get(id), charset).trim();
    const object = properties.get(PROPERTY.attachData);
    const embedded = object?.type === TYPE.object ? object : null;
    const range = embedded
      ? { start: Math.min(embedded.start + INTERFACE_BYTES, embedded.end), end: embedded.end }
      : (data ?? object);
    if (!range) return null;
    const name =
      text(PROPERTY.attachLongFilename) ||
      title ||
      text(PROPERTY.attachFilename) ||
      text(PROPERTY.displayName);
    const message =
      embedded && nesting < MAX_NESTING
        ? this.readMessage(range.start, range.end, partId, true, nesting + 1)
        : null;
    const contentId = text(PROPERTY.attachContentId).replace(/^<|>$/g, '');
    const part = createPart({
      source: this.file,
      partId,
      mediaType: message ? 'application/ms-tnef' : mediaTypeOf(text(PROPERTY.attachMimeType), name),
      start: range.start,
      end: range.end,
      filename: message ? `${name || 'message'}.tnef` : name || `attachment-${partId}`,
      ...(contentId !== '' && { contentId }),
    });
    part.message = message;
    return part;
  }
}

const quoted = (name: string): string => (name === '' ? '' : `"${name.replace(/["\\]/g, '\\$&')}"`);

function mediaTypeOf(declared: string, name: string): string {
  const type = declared.toLowerCase();
  if (/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type)) return type;
  return detectMimeType(name) || 'application/octet-stream';
}
