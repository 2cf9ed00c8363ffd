import { detectExtension } from 'libmime';
import { capUtf8, referencedContentIds } from './body-text';
import { Defects } from './defects';
import { firstField } from './header-block';
import { singleLine } from './header-text';
import { isMessagePart, type MimeEntity } from './mime-tree';
import { textKindOf } from './text-kinds';
import { decodedSize, isKnownEncoding, type TransferEncoding } from './transfer-decoder';

/**
 * A part that can be downloaded. Its content is `raw[bodyStart, bodyEnd)` decoded by `encoding`; of a contained part these are
 * the range and the encoding of the part of the message that wraps it (see `readContainedPart`).
 */
export interface AttachmentPart {
  /** Numbering as in IMAP: `1`, `2.1`; in a wrapping, as of a message in its place. */
  partId: string;
  /** Never empty, without path separators and controls, at most 255 bytes. */
  filename: string;
  mimeType: string;
  /** Exact size of the decoded content, in bytes. */
  sizeBytes: number;
  bodyStart: number;
  bodyEnd: number;
  encoding: TransferEncoding;
  contentId: string | null;
  /** An image that an HTML part of the same message really shows (`cid:` of its Content-ID). */
  isInline: boolean;
  /** Whether the part is in a wrapping that has to be opened first, such as winmail.dat or signed content. */
  isContained: boolean;
}

export interface AttachmentList {
  attachments: AttachmentPart[];
  /** Whether a part has a file name and is not an inline image, or is a message. */
  hasAttachments: boolean;
}

/** Lists the leaves of the tree in order; a message in a part is one of them, whatever its parts are. */
export function leavesOf(root: MimeEntity): MimeEntity[] {
  return root.children ? root.children.flatMap(leavesOf) : [root];
}

/** Lists the leaves of a message as it is read: in place of a wrapping those of its content. */
export function openedLeavesOf(root: MimeEntity): MimeEntity[] {
  if (root.content) return openedLeavesOf(root.content);
  return root.children ? root.children.flatMap(openedLeavesOf) : [root];
}

/** Lists the leaves of a message as it is read, those of a message in a part behind that part. */
export function allLeavesOf(root: MimeEntity): MimeEntity[] {
  return openedLeavesOf(root).flatMap((leaf) =>
    leaf.message ? [leaf, ...allLeavesOf(leaf.message)] : [leaf],
  );
}

/**
 * Whether a leaf is part of what the reader of the message sees as text. Text that is the only part of a message is read even
 * if it is called an attachment.
 */
export function isShownAsText(leaf: MimeEntity): boolean {
  return textKindOf(leaf) !== null && (leaf.disposition.value !== 'attachment' || leaf.isOnlyPart);
}

/** Whether a leaf is listed as an attachment; text that is shown is listed too when it has a file name. */
export function isAttachment(leaf: MimeEntity): boolean {
  return !isShownAsText(leaf) || declaredFilename(leaf) !== null;
}

/**
 * Describes every attachment of a message as it is read, those of messages in parts behind these, counting decoded sizes without
 * keeping decoded bytes.
 */
export function listAttachments(raw: Buffer, root: MimeEntity, defects: Defects): AttachmentList {
  return new AttachmentLister(raw, defects).list(root, null);
}

class AttachmentLister {
  private readonly defectsOfInner = new Defects();

  constructor(
    private readonly raw: Buffer,
    private readonly defects: Defects,
  ) {}

  /** @param carrier the part of the raw message in which the entity is contained; null when it is one itself */
  list(root: MimeEntity, carrier: MimeEntity | null): AttachmentList {
    const leaves = openedLeavesOf(root);
    const parts = leaves.filter(isAttachment);
    const images = parts.some((part) => isImage(part) && contentIdOf(part) !== null);
    const htmlParts = leaves.filter((leaf) => textKindOf(leaf) === 'html' && isShownAsText(leaf));
    const referenced = images ? referencedContentIds(htmlParts) : new Set<string>();
    return this.listIn(root, carrier, referenced);
  }

  private listIn(entity: MimeEntity, carrier: MimeEntity | null, referenced: Set<string>): AttachmentList {
    const isListed = !entity.children && !entity.isWrapping && isAttachment(entity);
    const lists: AttachmentList[] = isListed ? [this.describe(entity, carrier, referenced)] : [];
    if (entity.content)
      lists.push(this.listIn(entity.content, this.carrierOf(entity, entity.content, carrier), referenced));
    else
      for (const child of entity.children ?? [])
        lists.push(this.listIn(child, this.carrierOf(entity, child, carrier), referenced));
    if (entity.message) {
      const inner = new AttachmentLister(this.raw, this.defectsOfInner);
      const { attachments } = inner.list(entity.message, this.carrierOf(entity, entity.message, carrier));
      lists.push({ attachments, hasAttachments: false });
    }
    return {
      attachments: lists.flatMap(({ attachments }) => attachments),
      hasAttachments: lists.some(({ hasAttachments }) => hasAttachments),
    };
  }

  private carrierOf(entity: MimeEntity, inner: MimeEntity, carrier: MimeEntity | null): MimeEntity | null {
    return carrier ?? (inner.source === this.raw ? null : entity);
  }

  private describe(part: MimeEntity, carrier: MimeEntity | null, referenced: Set<string>): AttachmentList {
    const declared = declaredFilename(part);
    const contentId = contentIdOf(part);
    const isInline = isImage(part, declared) && contentId !== null && referenced.has(contentId);
    if (!isKnownEncoding(part.encoding)) this.defects.add(`unknown transfer encoding ${part.encoding}`);
    // A file in a text that is not encoded lies in the raw message after all.
    const isContained = part.source !== this.raw;
    const { bodyStart, bodyEnd, encoding } = isContained ? (carrier ?? part) : part;
    const described: AttachmentPart = {
      partId: part.partId,
      filename: declared ?? fallbackFilename(part),
      mimeType: part.mediaType,
      sizeBytes: decodedSize(part.source, part.bodyStart, part.bodyEnd, part.encoding),
      bodyStart,
      bodyEnd,
      encoding,
      contentId,
      isInline,
      isContained,
    };
    return {
      attachments: [described],
      hasAttachments: (declared !== null && !isInline) || isMessagePart(part),
    };
  }
}

/** Some mailers send pictures as application/octet-stream and leave the rest to the file name. */
function isImage(part: MimeEntity, filename = declaredFilename(part)): boolean {
  if (part.mediaType.startsWith('image/')) return true;
  return (
    part.mediaType === 'application/octet-stream' && /\.(?:png|jpe?g|gif|webp|bmp|svg)$/i.test(filename ?? '')
  );
}

/** The Content-ID of a part without its angle brackets (RFC 2392); null when it has none. */
export function contentIdOf(part: MimeEntity): string | null {
  const field = firstField(part.fields, 'content-id');
  if (field === null) return null;
  const id = singleLine(field).replace(/^<|>$/g, '').slice(0, 998);
  return id === '' ? null : id;
}

const MAX_FILENAME_BYTES = 255;
const MAX_EXTENSION_LENGTH = 20;

/** The file name a part gives itself (Content-Disposition first, then Content-Type), made safe; null if none. */
export function declaredFilename(part: MimeEntity): string | null {
  for (const name of [part.disposition.parameters.get('filename'), part.contentType.parameters.get('name')]) {
    const safe = safeFilename(name ?? '');
    if (safe !== '') return safe;
  }
  return null;
}

/** A name for a part that has none: `message.eml` for an embedded message, else `part-<id>.<extension>`. */
export function fallbackFilename(part: MimeEntity): string {
  if (isMessagePart(part)) return 'message.eml';
  return `part-${part.partId}.${extensionOf(part.mediaType)}`;
}

function extensionOf(mediaType: string): string {
  if (mediaType.startsWith('multipart/')) return 'eml';
  if (mediaType.startsWith('message/') || mediaType === 'text/rfc822-headers') return 'txt';
  return detectExtension(mediaType) || 'bin';
}

/** Removes path separators and controls, and cuts to 255 bytes with the extension kept. */
function safeFilename(name: string): string {
  const flat = singleLine(name)
    .replace(/[/\\]/g, '_')
    .replace(/^[. ]+$/, '')
    .trim();
  if (Buffer.byteLength(flat) <= MAX_FILENAME_BYTES) return flat;
  const dot = flat.lastIndexOf('.');
  const extension = dot > 0 && flat.length - dot <= MAX_EXTENSION_LENGTH ? flat.slice(dot) : '';
  const stem = flat.slice(0, flat.length - extension.length);
  return capUtf8(stem, MAX_FILENAME_BYTES - Buffer.byteLength(extension)) + extension;
}
