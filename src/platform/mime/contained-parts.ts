import { declaredFilename, fallbackFilename, isShownAsText, leavesOf } from './attachment-parts';
import { bodyOf } from './body-text';
import { Defects } from './defects';
import { firstField, isHeaderLine } from './header-block';
import { isMessagePart, type MimeEntity, readMimeTree } from './mime-tree';
import { readCms } from './smime/cms';
import { isTnef } from './tnef/tnef-file';
import { tnefContent } from './tnef/tnef-content';
import { decodeBounded } from './transfer-decoder';
import { splitUuencodedText } from './uuencoded-files';

/** Longest message whose wrapped parts are opened: its bytes are in memory, and their content as well. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Most bytes of the content of one wrapping. */
export const MAX_CONTENT_BYTES = 32 * 1024 * 1024;
/** Most bytes of all wrapped content of a message. */
const MAX_ALL_BYTES = 96 * 1024 * 1024;
const MAX_OPENED = 50;
const MAX_NESTING = 5;
const ENCODED = new Set(['base64', 'quoted-printable']);
const CMS_TYPE = /^application\/(?:x-)?pkcs7-mime$/;

/**
 * Reads a message with what its parts wrap: signed content (S/MIME, RFC 8551), winmail.dat (MS-OXTNEF), files in text
 * (uuencode), and multiparts and messages that are encoded against RFC 2045 §6.4. Numbers of parts in a wrapping are those of a
 * message in its place (RFC 9051 §6.4.5). Limits: 64 MiB of message, 32 MiB in one wrapping and 96 MiB in all, 50 wrappings,
 * five in each other. A wrapping beyond them, or one that cannot be read, is a file like any other. See ADR 108.
 */
export function readMessage(raw: Buffer, defects: Defects): MimeEntity {
  const root = readMimeTree(raw, defects);
  if (raw.length <= MAX_MESSAGE_BYTES) new WrappingOpener(defects).open(root, 0);
  return root;
}

export interface ContainedPart {
  readonly filename: string;
  readonly mimeType: string;
  /** The decoded content. */
  readonly bytes: Uint8Array;
}

/** Decodes a listed part of a message by its number, wherever it is contained; null when there is none. */
export function readContainedPart(raw: Buffer, partId: string): (ContainedPart & { bytes: Buffer }) | null {
  const part = findListed(readMessage(raw, new Defects()), partId);
  if (!part) return null;
  return {
    filename: declaredFilename(part) ?? fallbackFilename(part),
    mimeType: part.mediaType,
    bytes: decodeBounded(bodyOf(part), part.encoding, MAX_MESSAGE_BYTES),
  };
}

function findListed(entity: MimeEntity, partId: string): MimeEntity | null {
  if (entity.partId === partId && !entity.children && !entity.isWrapping) return entity;
  const inner = [entity.content, ...(entity.content ? [] : (entity.children ?? [])), entity.message];
  for (const part of inner) {
    const found = part && findListed(part, partId);
    if (found) return found;
  }
  return null;
}

/** Whether a part is a structure of S/MIME: by its type, or where programs call all files alike, by its name. */
export function isCmsPart(leaf: MimeEntity): boolean {
  if (CMS_TYPE.test(leaf.mediaType)) return true;
  return leaf.mediaType === 'application/octet-stream' && /\.p7m$/i.test(declaredFilename(leaf) ?? '');
}

/** The bytes of a part that is a structure of S/MIME. Some programs write base64 and do not say so. */
export function cmsBytes(leaf: MimeEntity): Buffer {
  const bytes = decodeBounded(bodyOf(leaf), leaf.encoding, MAX_CONTENT_BYTES + 1);
  if (bytes[0] === SEQUENCE) return bytes;
  const text = bytes.toString('latin1').replace(/-----[A-Z0-9 ]{1,40}-----/g, '');
  return /^\s*M[A-Za-z0-9+/=\s]*$/.test(text) ? Buffer.from(text, 'base64') : bytes;
}

const SEQUENCE = 0x30;

class WrappingOpener {
  private opened = 0;
  private bytes = 0;

  constructor(private readonly defects: Defects) {}

  /** @param nesting number of wrappings around the entity */
  open(entity: MimeEntity, nesting: number): void {
    this.openParts(entity, nesting, entity);
  }

  /** @param message the message that the entity is a part of */
  private openParts(entity: MimeEntity, nesting: number, message: MimeEntity): void {
    if (entity.message) return this.openParts(entity.message, nesting, entity.message);
    for (const child of entity.children ?? []) this.openParts(child, nesting, message);
    if (entity.children) return this.openEncodedParts(entity, nesting);
    this.openLeaf(entity, nesting, message);
  }

  private openLeaf(leaf: MimeEntity, nesting: number, message: MimeEntity): void {
    if (isCmsPart(leaf)) this.openCms(leaf, nesting);
    else if (isTnef(leaf, declaredFilename(leaf))) this.openTnef(leaf, message);
    else if (isMessagePart(leaf)) this.openEncodedMessage(leaf, nesting);
    else if (leaf.contentType.value.startsWith('multipart/')) this.openEncodedMultipart(leaf, nesting);
    else if (isShownAsText(leaf)) leaf.content = splitUuencodedText(leaf);
  }

  private openCms(leaf: MimeEntity, nesting: number): void {
    if (!this.mayOpen(leaf, nesting, 'signed content')) return;
    const cms = readCms(cmsBytes(leaf), MAX_CONTENT_BYTES);
    if (cms === null) this.defects.add('S/MIME content that cannot be read');
    if (cms === null || cms.kind === 'encrypted' || !cms.content || cms.content.length === 0) return;
    this.wrap(leaf, cms.content, nesting);
  }

  private openTnef(leaf: MimeEntity, message: MimeEntity): void {
    if (!this.mayOpen(leaf, 0, 'winmail.dat')) return;
    const bytes = decodeBounded(bodyOf(leaf), leaf.encoding, MAX_CONTENT_BYTES + 1);
    const content = tnefContent(bytes, leaf.partId, !hasOtherText(message, leaf));
    if (content === null) return this.defects.add('winmail.dat that cannot be read');
    this.bytes += bytes.length;
    leaf.content = content;
    leaf.isWrapping = true;
  }

  private openEncodedMessage(leaf: MimeEntity, nesting: number): void {
    if (!ENCODED.has(leaf.encoding) || !this.mayOpen(leaf, nesting, 'encoded message')) return;
    this.defects.add('message part with a transfer encoding');
    if (isNotEncoded(leaf)) leaf.encoding = '8bit';
    const bytes = decodeBounded(bodyOf(leaf), leaf.encoding, MAX_CONTENT_BYTES);
    this.bytes += bytes.length;
    leaf.message = readMimeTree(bytes, new Defects(), leaf.partId);
    this.open(leaf.message, nesting + 1);
  }

  /** Opens a multipart in which no part was found: its boundaries are encoded too. */
  private openEncodedMultipart(leaf: MimeEntity, nesting: number): void {
    if (!ENCODED.has(leaf.encoding) || !this.mayOpen(leaf, nesting, 'encoded multipart')) return;
    const content = this.decodeMultipart(leaf);
    if (!content.children) return;
    this.defects.add('multipart with a transfer encoding');
    leaf.content = content;
    leaf.isWrapping = true;
    this.open(content, nesting + 1);
  }

  /** Reads a multipart again whose boundaries have no character that is encoded, while the headers of its parts do. */
  private openEncodedParts(entity: MimeEntity, nesting: number): void {
    const first = entity.children?.[0];
    if (entity.encoding !== 'quoted-printable' || !first) return;
    if (!/=3d/i.test(firstField(first.fields, 'content-type') ?? '')) return;
    if (!this.mayOpen(entity, nesting, 'encoded multipart')) return;
    this.defects.add('multipart with a transfer encoding');
    entity.content = this.decodeMultipart(entity);
    this.open(entity.content, nesting + 1);
  }

  private decodeMultipart(entity: MimeEntity): MimeEntity {
    const type = firstField(entity.fields, 'content-type') ?? '';
    const header = Buffer.from(`Content-Type: ${type}\r\n\r\n`, 'latin1');
    const body = decodeBounded(bodyOf(entity), entity.encoding, MAX_CONTENT_BYTES);
    this.bytes += body.length;
    const isRoot = entity.partId === '' || (entity.children === null && entity.partId === '1');
    return readMimeTree(Buffer.concat([header, body]), new Defects(), isRoot ? '' : entity.partId);
  }

  private wrap(leaf: MimeEntity, content: Buffer, nesting: number): void {
    this.bytes += content.length;
    leaf.content = readMimeTree(content, this.defects, leaf.partId);
    leaf.isWrapping = true;
    this.open(leaf.content, nesting + 1);
  }

  private mayOpen(part: MimeEntity, nesting: number, name: string): boolean {
    this.opened += 1;
    const isSmall = part.bodyEnd - part.bodyStart <= 2 * MAX_CONTENT_BYTES && this.bytes <= MAX_ALL_BYTES;
    if (isSmall && nesting < MAX_NESTING && this.opened <= MAX_OPENED) return true;
    this.defects.add(`${name} beyond the limits was not opened`);
    return false;
  }
}

const LF = 0x0a;
const MAX_HEADER = 16_384;

/**
 * Whether the label of a message part is wrong: the message begins with a field, which base64 does not. Quoted-printable leaves most
 * fields as they are, but not the parameters of its types.
 */
function isNotEncoded({ source, bodyStart, bodyEnd, encoding }: MimeEntity): boolean {
  if (!isHeaderLine(source, LF, bodyStart)) return false;
  const text = source.toString('latin1', bodyStart, Math.min(bodyEnd, bodyStart + MAX_HEADER));
  const header = text.split(/\r?\n\r?\n/, 1)[0] ?? '';
  return encoding === 'base64' || (!/=3d/i.test(header) && /^content-transfer-encoding:/im.test(header));
}

const MAX_BLANK = 4_096;

/** Whether another part of a message has text to show. */
function hasOtherText(message: MimeEntity, leaf: MimeEntity): boolean {
  return leavesOf(message).some(
    (other) =>
      other !== leaf &&
      isShownAsText(other) &&
      decodeBounded(bodyOf(other), other.encoding, MAX_BLANK).toString('latin1').trim() !== '',
  );
}
