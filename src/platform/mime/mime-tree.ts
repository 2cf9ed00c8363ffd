import { Defects } from './defects';
import {
  firstField,
  headerBehindBrokenLines,
  isHeaderLine,
  isOpeningField,
  lineAfter,
  readHeaderBlock,
  type HeaderFields,
  type HeaderSource,
} from './header-block';
import { parseStructuredValue, type StructuredValue } from './header-text';
import { type TransferEncoding, UNENCODED } from './transfer-decoder';

const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
const SPACE = 0x20;
const TAB = 0x09;
const MAX_PARTS = 1_000;
const MAX_DEPTH = 50;
/** Messages in each other. */
const MAX_MESSAGES = 10;
/** Types of parts that hold a message (RFC 2046 §5.2.1, RFC 6532 §3.7). */
const MESSAGES = new Set(['message/rfc822', 'message/global', 'message/news']);
/** RFC 2046 §5.1.1 allows 70; more than this is no real boundary. */
const MAX_BOUNDARY = 256;

/** One node of the message: a leaf with a body, or a multipart with children. */
export interface MimeEntity {
  /** Numbering as in IMAP (RFC 9051 §6.4.5): `1`, `2.1`; empty for a multipart at the root. */
  partId: string;
  fields: HeaderFields;
  /** The bytes in which the body lies: the raw message, or the content of one of its parts. */
  source: Buffer;
  /** Offset of the header in `source`. */
  start: number;
  /** Lower case, `text/plain` when absent; a multipart that could not be read counts as a leaf. */
  mediaType: string;
  contentType: StructuredValue;
  disposition: StructuredValue;
  encoding: TransferEncoding;
  /** Byte range of the encoded body in `source`, `[bodyStart, bodyEnd)`. */
  bodyStart: number;
  bodyEnd: number;
  /** Null for a leaf. */
  children: MimeEntity[] | null;
  /** The message in a message part (RFC 2046 §5.2.1); null for all others, and while an encoded one is not opened. */
  message: MimeEntity | null;
  /** The content of a leaf that wraps other parts, see `readMessage`; null for all others. */
  content: MimeEntity | null;
  /** Whether the leaf is nothing but the wrapping of its content: then it is not listed itself. */
  isWrapping: boolean;
  /** Whether this is the only leaf of the message. */
  isOnlyPart: boolean;
}

/** Whether a part holds a message. */
export function isMessagePart({ mediaType }: Pick<MimeEntity, 'mediaType'>): boolean {
  return MESSAGES.has(mediaType);
}

/**
 * Finds the parts of a message in one pass over its bytes, without copying them. Delimiter lines are compared with
 * the boundaries of all multiparts that are open, so an inner one that is never closed ends with its parent and
 * nesting does not multiply the work. Limits: 1,000 parts, 50 levels (a deeper multipart is one opaque leaf), 10 messages
 * in each other. Messages in parts are read as well; what is wrong with them is none of the defects.
 * @param partId number of the part that contains the message, below which its parts are numbered
 */
export function readMimeTree(raw: Buffer, defects: Defects, partId = ''): MimeEntity {
  return new MimeTreeReader(raw, defects, partId).read();
}

interface OpenMultipart {
  entity: MimeEntity & { children: MimeEntity[] };
  boundary: string;
  /** Level of an enclosing multipart with the same boundary, found again when this one is closed. */
  shadowed: number | undefined;
}

/** A message part whose end has not been reached. */
interface OpenMessage {
  readonly entity: MimeEntity;
  /** Number of multiparts that are open around it. */
  readonly level: number;
}

interface Delimiter {
  lineStart: number;
  next: number;
  level: number;
  closing: boolean;
}

class MimeTreeReader implements HeaderSource {
  readonly eol: number;
  private readonly needle: Buffer;
  private readonly open: OpenMultipart[] = [];
  private readonly levels = new Map<string, number>();
  private readonly messages: OpenMessage[] = [];
  /** The message itself, and those in its parts. */
  private readonly roots: MimeEntity[] = [];
  private readonly defectsOfInner = new Defects();
  private parts = 0;
  private innerParts = 0;
  private longest = 0;

  constructor(
    readonly raw: Buffer,
    private readonly defectsOfMessage: Defects,
    private readonly outerId: string,
  ) {
    this.eol = raw.includes(LF) || !raw.includes(CR) ? LF : CR;
    this.needle = Buffer.from([this.eol, DASH, DASH]);
  }

  /** Defects of the message that is read at the moment. */
  get defects(): Defects {
    return this.messages.length > 0 ? this.defectsOfInner : this.defectsOfMessage;
  }

  read(): MimeEntity {
    const root = this.readEntity(this.messageStart(), null);
    let current: MimeEntity | null = innermost(root);
    let searchFrom = current.bodyStart;
    while (this.open.length > 0) {
      const delimiter = this.nextDelimiter(searchFrom);
      if (!delimiter) break;
      if (current && !current.children) this.endBody(current, delimiter.lineStart);
      else this.defects.addStray(searchFrom, delimiter.lineStart);
      current = null;
      this.closeAbove(delimiter.level, delimiter.lineStart);
      this.endMessagesIn(delimiter.level, delimiter.lineStart);
      searchFrom = delimiter.next;
      if (delimiter.closing) {
        this.close(delimiter.lineStart);
        continue;
      }
      const parent = this.open[delimiter.level] as OpenMultipart;
      if (this.messages.length > 0) {
        if (++this.innerParts > MAX_PARTS) continue;
      } else if (++this.parts > MAX_PARTS) {
        this.defects.addCut(`more than ${MAX_PARTS} parts, the rest was not read`);
        break;
      }
      current = innermost(this.readEntity(delimiter.next, parent.entity));
      searchFrom = current.bodyStart;
    }
    if (current === null) this.defects.addStray(searchFrom, this.raw.length);
    if (this.open.length > 0 && this.parts <= MAX_PARTS)
      this.defects.add('multipart without closing boundary');
    while (this.open.length > 0) this.close(this.raw.length);
    for (const message of this.roots) {
      const only = onlyLeafOf(message);
      if (only) only.isOnlyPart = true;
    }
    return root;
  }

  isDelimiter(lineStart: number): boolean {
    return this.delimiterAt(lineStart) !== null;
  }

  /**
   * Skips what mail folders and broken programs leave before the header: byte order marks, `From ` lines, empty lines,
   * and a few broken lines where a field follows that messages begin with.
   */
  private messageStart(): number {
    const { raw, eol } = this;
    const unskipped = afterMark(raw, 0);
    let pos = unskipped;
    for (let before = -1; before !== pos;) {
      before = pos;
      pos = afterMark(raw, pos);
      while (raw[pos] === CR || raw[pos] === LF) pos++;
      if (/^>?From (?![ \t]*:)/.test(raw.toString('latin1', pos, pos + 16))) pos = lineAfter(raw, eol, pos);
    }
    if (isHeaderLine(raw, eol, pos)) return pos;
    const indented = afterBlanks(raw, pos);
    if (indented > pos && isOpeningField(raw, indented, lineAfter(raw, eol, indented))) return indented;
    const header = headerBehindBrokenLines(raw, eol, pos);
    if (header === null) return unskipped;
    this.defects.add('malformed header line');
    this.defects.addStray(pos, header);
    return header;
  }

  /**
   * @param parent the multipart that the entity is a part of; null for a message
   * @param container the part that holds the message; null for the message itself and for parts of multiparts
   */
  private readEntity(
    start: number,
    parent: (MimeEntity & { children: MimeEntity[] }) | null,
    container: MimeEntity | null = null,
  ): MimeEntity {
    const { fields, bodyStart } = readHeaderBlock(this, start);
    const contentType = parseStructuredValue(firstField(fields, 'content-type') ?? '', this.defects);
    const entity: MimeEntity = {
      partId: '',
      fields,
      source: this.raw,
      start,
      mediaType: mediaTypeOf(contentType.value, parent?.mediaType ?? null),
      contentType,
      disposition: parseStructuredValue(firstField(fields, 'content-disposition') ?? '', this.defects),
      encoding: encodingOf(firstField(fields, 'content-transfer-encoding')),
      bodyStart,
      bodyEnd: this.raw.length,
      children: null,
      message: null,
      content: null,
      isWrapping: false,
      isOnlyPart: false,
    };
    if (parent) {
      parent.children.push(entity);
      entity.partId = (parent.partId ? `${parent.partId}.` : '') + String(parent.children.length);
    }
    if (entity.mediaType.startsWith('multipart/')) this.openMultipart(entity);
    if (!parent) this.numberMessage(entity, container);
    this.readInnerMessage(entity);
    return entity;
  }

  private readInnerMessage(entity: MimeEntity): void {
    if (!isMessagePart(entity) || !UNENCODED.has(entity.encoding) || this.messages.length >= MAX_MESSAGES)
      return;
    this.messages.push({ entity, level: this.open.length });
    entity.message = this.readEntity(entity.bodyStart, null, entity);
  }

  /** Numbers a message that is no multipart; the parts of a message are numbered below the part that holds it (RFC 9051 §6.4.5). */
  private numberMessage(message: MimeEntity, container: MimeEntity | null): void {
    this.roots.push(message);
    const outer = container?.partId ?? this.outerId;
    if (message.children) message.partId = outer;
    else message.partId = outer === '' ? '1' : `${outer}.1`;
  }

  /** Ends the message parts that lie in the multipart of this level. */
  private endMessagesIn(level: number, lineStart: number): void {
    for (let last = this.messages.at(-1); last && last.level > level; last = this.messages.at(-1)) {
      this.messages.pop();
      this.endBody(last.entity, lineStart);
    }
  }

  private openMultipart(entity: MimeEntity): void {
    const boundary = this.boundaryOf(entity.contentType);
    if (boundary === '') {
      this.defects.add('multipart without a boundary');
      entity.mediaType = 'text/plain';
      return;
    }
    // A boundary of the message around it belongs to that one.
    const outer = this.levels.get(boundary);
    if (outer !== undefined && outer < (this.messages.at(-1)?.level ?? 0)) return;
    if (this.open.length >= MAX_DEPTH) {
      this.defects.add(`multiparts nested deeper than ${MAX_DEPTH} levels`);
      return;
    }
    const children: MimeEntity[] = [];
    this.open.push({
      entity: Object.assign(entity, { children }),
      boundary,
      shadowed: this.levels.get(boundary),
    });
    this.levels.set(boundary, this.open.length - 1);
    this.longest = Math.max(this.longest, boundary.length);
  }

  /** Single quotes are characters of a boundary; some programs write them around one all the same. */
  private boundaryOf(contentType: StructuredValue): string {
    const boundary = boundaryOf(contentType);
    const bare = /^'(.+)'$/.exec(boundary)?.[1];
    return bare !== undefined && !this.raw.includes(`--${boundary}`, 0, 'latin1') ? bare : boundary;
  }

  private nextDelimiter(from: number): Delimiter | null {
    // The delimiter may stand directly at `from`: then the line end before it is the byte before.
    let pos = Math.max(0, from - 1);
    for (;;) {
      const found = this.raw.indexOf(this.needle, pos);
      if (found === -1) return null;
      const delimiter = this.delimiterAt(found + 1);
      if (delimiter) return delimiter;
      pos = found + 1;
    }
  }

  private delimiterAt(lineStart: number): Delimiter | null {
    const { raw } = this;
    if (this.open.length === 0 || raw[lineStart] !== DASH || raw[lineStart + 1] !== DASH) return null;
    const limit = Math.min(raw.length, lineStart + this.longest + 128);
    let end = lineStart + 2;
    while (end < limit && raw[end] !== this.eol) end++;
    if (end === limit && limit < raw.length) return null;
    const next = Math.min(raw.length, end + 1);
    const text = raw.toString('latin1', lineStart + 2, end).trimEnd();
    const level = this.levels.get(text);
    if (level !== undefined) return { lineStart, next, level, closing: false };
    if (!text.endsWith('--')) return null;
    const closed = this.levels.get(text.slice(0, -2));
    return closed === undefined ? null : { lineStart, next, level: closed, closing: true };
  }

  /**
   * RFC 2046 §5.1.1: the line break before a delimiter belongs to the delimiter, not to the body; the message's own end
   * is none.
   */
  private endBody(entity: MimeEntity, lineStart: number): void {
    if (lineStart === this.raw.length) {
      entity.bodyEnd = lineStart;
      return;
    }
    let end = lineStart;
    if (end > entity.bodyStart && this.raw[end - 1] === this.eol) end--;
    if (this.eol === LF && end > entity.bodyStart && this.raw[end - 1] === CR) end--;
    // An empty last part can share its line break with the delimiter behind it.
    entity.bodyEnd = Math.max(entity.bodyStart, entity.children?.at(-1)?.bodyEnd ?? 0, end);
  }

  private closeAbove(level: number, lineStart: number): void {
    if (this.open.length > level + 1) this.defects.add('multipart without closing boundary');
    while (this.open.length > level + 1) this.close(lineStart);
  }

  private close(lineStart: number): void {
    const closed = this.open.pop();
    if (!closed) return;
    if (closed.shadowed === undefined) this.levels.delete(closed.boundary);
    else this.levels.set(closed.boundary, closed.shadowed);
    this.endBody(closed.entity, lineStart);
    if (closed.entity.children.length > 0) return;
    this.defects.add('multipart without parts');
    const leaf: MimeEntity = closed.entity;
    leaf.children = null;
    leaf.mediaType = 'text/plain';
    if (leaf.partId === this.outerId) leaf.partId = this.outerId === '' ? '1' : `${this.outerId}.1`;
  }
}

/** The part that is read next: in a message part, one of its message. */
function innermost(entity: MimeEntity): MimeEntity {
  return entity.message ? innermost(entity.message) : entity;
}

/** The leaf of a message that has no other one. */
function onlyLeafOf(entity: MimeEntity): MimeEntity | null {
  if (!entity.children) return entity;
  const [child, ...others] = entity.children;
  return child && others.length === 0 ? onlyLeafOf(child) : null;
}

/** Offset after the UTF-8 byte order mark that may stand at `pos`. */
function afterMark(raw: Buffer, pos: number): number {
  return raw[pos] === 0xef && raw[pos + 1] === 0xbb && raw[pos + 2] === 0xbf ? pos + 3 : pos;
}

/** Offset after the blanks that stand at `pos`. */
function afterBlanks(raw: Buffer, pos: number): number {
  let end = pos;
  while (raw[end] === SPACE || raw[end] === TAB) end++;
  return end;
}

function mediaTypeOf(value: string, parentType: string | null): string {
  if (/^[^\s/]+\/[^\s/]+$/.test(value)) return value.slice(0, 127);
  if (value === 'text') return 'text/plain';
  // RFC 2046 §5.1.5: parts of a digest are messages unless they say otherwise.
  return parentType === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
}

function boundaryOf(contentType: StructuredValue): string {
  const boundary = contentType.literals.get('boundary') ?? contentType.parameters.get('boundary') ?? '';
  return boundary.trimEnd().slice(0, MAX_BOUNDARY);
}

/** Names of encodings as programs have written them. */
const MISSPELT: ReadonlyMap<string, string> = new Map([
  ['base-64', 'base64'],
  ['base', 'base64'],
  ['quotedprintable', 'quoted-printable'],
  ['quoted', 'quoted-printable'],
  ['8-bit', '8bit'],
  ['7-bit', '7bit'],
]);

function encodingOf(value: string | null): TransferEncoding {
  const encoding = (value ?? '')
    .replace(/\([^()]*\)|["']/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9-].*$/s, '')
    .slice(0, 40);
  return encoding === '' ? '7bit' : (MISSPELT.get(encoding) ?? encoding);
}
