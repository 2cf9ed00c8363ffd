import type { Defects } from './defects';

const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const TAB = 0x09;
const DASH = 0x2d;
const MAX_HEADER_BYTES = 512 * 1024;
const MAX_FIELD_BYTES = 128 * 1024;
const MAX_REPEATS = 100;
const MAX_NAME_LENGTH = 64;

/** The fields Mailroom reads; all others are skipped without being copied. */
const KNOWN_FIELDS = new Set([
  'bcc',
  'cc',
  'content-disposition',
  'content-id',
  'content-transfer-encoding',
  'content-type',
  'date',
  'delivered-to',
  'from',
  'in-reply-to',
  'list-id',
  'message-id',
  'received',
  'references',
  'reply-to',
  'sender',
  'subject',
  'to',
]);

/** Fields of which only the first values are read: every hop adds one, the last hop above the others. */
const MOST_READ: ReadonlyMap<string, number> = new Map([
  ['received', 10],
  ['delivered-to', 10],
]);

/** Fields that messages begin with. */
const OPENING_FIELDS = new Set([
  'bcc', 'cc', 'content-type', 'date', 'delivered-to', 'dkim-signature', 'envelope-to', 'from', 'message-id',
  'mime-version', 'received', 'reply-to', 'return-path', 'sender', 'subject', 'to', 'x-gm-thrid', 'x-mozilla-status',
]); // prettier-ignore
/** The longest broken header, in lines: more lines are text. */
const MAX_BROKEN_LINES = 8;
const MAX_BROKEN_BYTES = 8 * 1024;

/** Field values by lower-case name: unfolded, one UTF-16 unit per byte (Latin-1), in order of appearance. */
export type HeaderFields = ReadonlyMap<string, readonly string[]>;

export interface HeaderBlock {
  fields: HeaderFields;
  /** Offset of the first byte after the header block and its empty line. */
  bodyStart: number;
}

export interface HeaderSource {
  raw: Buffer;
  /** The byte that ends a line: LF, or CR in a message that has no LF at all. */
  eol: number;
  /** Whether the line starting at this offset is a delimiter of a multipart that is still open. */
  isDelimiter(lineStart: number): boolean;
  defects: Defects;
}

/** The first value of a field, or null. */
export function firstField(fields: HeaderFields, name: string): string | null {
  return fields.get(name)?.[0] ?? null;
}

/**
 * Reads the header block that starts at `start` (RFC 5322 §2.2). It ends at the first empty line, at a multipart
 * delimiter, or where text begins that can be no header; of more than 512 KiB the rest is skipped, not kept.
 */
export function readHeaderBlock(source: HeaderSource, start: number): HeaderBlock {
  const { raw, eol, defects } = source;
  const fields = new Map<string, string[]>();
  const keepUntil = start + MAX_HEADER_BYTES;
  let field: { name: string; valueStart: number; valueEnd: number } | null = null;
  let sawField = false;
  let pos = start;

  const finish = (bodyStart: number): HeaderBlock => {
    storeField(source, fields, field);
    return { fields, bodyStart };
  };
  /** Without an empty line, lines of a text may have been taken for fields, and are not shown. */
  const finishWithoutEmptyLine = (bodyStart: number): HeaderBlock => {
    if (sawField) defects.isCut = true;
    return finish(bodyStart);
  };

  while (pos < raw.length) {
    if (pos >= keepUntil) {
      defects.addCut('header block larger than 512 KiB, the rest of it was not read');
      return finish(endOfHeaders(source, pos));
    }
    const next = lineAfter(raw, eol, pos);
    const contentEnd = contentEndOf(raw, eol, pos, next);
    if (contentEnd === pos) return finish(next);
    const first = raw[pos];
    if (first === DASH && source.isDelimiter(pos)) return finishWithoutEmptyLine(pos);
    if (first === SPACE || first === TAB) {
      if (field) field.valueEnd = contentEnd;
      else defects.addStray(pos, contentEnd);
    } else {
      const colon = colonOf(raw, pos, contentEnd);
      if (colon === -1) {
        if (!headerGoesOn(source, next, sawField)) {
          defects.add('no empty line between header and body');
          return finishWithoutEmptyLine(pos);
        }
        defects.add('malformed header line');
        defects.addStray(pos, contentEnd);
        storeField(source, fields, field);
        field = null;
      } else {
        storeField(source, fields, field);
        sawField = true;
        field = { name: fieldName(raw, pos, colon), valueStart: colon + 1, valueEnd: contentEnd };
      }
    }
    pos = next;
  }
  return finishWithoutEmptyLine(raw.length);
}

/** Whether the line at `pos` starts a header field: printable ASCII but a colon, then a colon. */
export function isHeaderLine(raw: Buffer, eol: number, pos: number): boolean {
  return colonOf(raw, pos, lineAfter(raw, eol, pos)) !== -1;
}

/**
 * The position of the header behind lines that are no fields: that of the first field that messages begin with, if more of
 * a header follows it. Null when an empty line or too many lines come first: then the text has no header.
 */
export function headerBehindBrokenLines(raw: Buffer, eol: number, start: number): number | null {
  let pos = start;
  for (let count = 0; count <= MAX_BROKEN_LINES; count++) {
    if (pos >= raw.length || pos - start > MAX_BROKEN_BYTES) return null;
    const next = lineAfter(raw, eol, pos);
    if (contentEndOf(raw, eol, pos, next) === pos) return null;
    if (isOpeningField(raw, pos, next) && continuesHeader(raw, eol, next)) return pos;
    pos = next;
  }
  return null;
}

/** Whether a field that messages begin with starts at `pos`. */
export function isOpeningField(raw: Buffer, pos: number, end: number): boolean {
  const colon = colonOf(raw, pos, end);
  return colon !== -1 && OPENING_FIELDS.has(fieldName(raw, pos, colon));
}

/** A field, the rest of a folded one, or the empty line after the header. */
function continuesHeader(raw: Buffer, eol: number, pos: number): boolean {
  const next = lineAfter(raw, eol, pos);
  const isEmpty = contentEndOf(raw, eol, pos, next) === pos;
  return isEmpty || raw[pos] === SPACE || raw[pos] === TAB || colonOf(raw, pos, next) !== -1;
}

/** Offset after the line that starts at `pos`, the end of the data when it has no line end. */
export function lineAfter(raw: Buffer, eol: number, pos: number): number {
  const index = raw.indexOf(eol, pos);
  return index === -1 ? raw.length : index + 1;
}

/** A stray line does not end the header when fields follow it (or, after fields, a folded or empty line). */
function headerGoesOn(source: HeaderSource, next: number, sawField: boolean): boolean {
  const { raw, eol } = source;
  if (next >= raw.length) return false;
  const following = lineAfter(raw, eol, next);
  if (contentEndOf(raw, eol, next, following) === next) return sawField;
  if (sawField && (raw[next] === SPACE || raw[next] === TAB)) return true;
  return colonOf(raw, next, following) !== -1;
}

function contentEndOf(raw: Buffer, eol: number, start: number, next: number): number {
  let end = next > start && raw[next - 1] === eol ? next - 1 : next;
  while (end > start && raw[end - 1] === CR) end--;
  return end;
}

function colonOf(raw: Buffer, start: number, end: number): number {
  let pos = start;
  const limit = Math.min(end, start + 256);
  while (pos < limit) {
    const byte = raw[pos] as number;
    if (byte === COLON) return pos > start ? pos : -1;
    if (byte <= SPACE || byte > 0x7e) break;
    pos++;
  }
  if (pos === start) return -1;
  // RFC 5322 §4.5: obsolete syntax allows white space before the colon.
  while (pos < limit && (raw[pos] === SPACE || raw[pos] === TAB)) pos++;
  return pos < limit && raw[pos] === COLON ? pos : -1;
}

function fieldName(raw: Buffer, start: number, colon: number): string {
  return raw
    .toString('latin1', start, Math.min(colon, start + MAX_NAME_LENGTH))
    .trimEnd()
    .toLowerCase();
}

function storeField(
  source: HeaderSource,
  fields: Map<string, string[]>,
  field: { name: string; valueStart: number; valueEnd: number } | null,
): void {
  if (!field || !KNOWN_FIELDS.has(field.name)) return;
  const values = fields.get(field.name) ?? [];
  if (values.length >= (MOST_READ.get(field.name) ?? Infinity)) return;
  if (values.length >= MAX_REPEATS) {
    source.defects.addCut(`more than ${MAX_REPEATS} times the same header field, the rest was not read`);
    return;
  }
  const end = Math.min(field.valueEnd, field.valueStart + MAX_FIELD_BYTES);
  if (end < field.valueEnd) {
    source.defects.addCut('header field larger than 128 KiB, the rest of it was not read');
  }
  const folded = source.raw.toString('latin1', field.valueStart, end);
  values.push(folded.replace(/[\r\n]/g, '').trim());
  fields.set(field.name, values);
}

/** Looks byte by byte for the empty line or delimiter that ends an oversized header block. */
function endOfHeaders(source: HeaderSource, from: number): number {
  const { raw, eol } = source;
  let lineStart = from;
  for (let pos = from; pos < raw.length; pos++) {
    if (raw[pos] !== eol) continue;
    if (contentEndOf(raw, eol, lineStart, pos + 1) === lineStart) return pos + 1;
    lineStart = pos + 1;
    if (raw[lineStart] === DASH && source.isDelimiter(lineStart)) return lineStart;
  }
  return raw.length;
}
