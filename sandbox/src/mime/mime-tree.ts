import libmime from 'libmime';
import { decodeWords, parseHeaderBlock, type HeaderField } from './header-fields';

/** A node of a message's MIME tree, as offsets into the raw bytes. */
export interface MimePart {
  /** Gmail's numbering: '' for the message, '0', '1' for its parts, '0.1' below. */
  readonly partId: string;
  readonly fields: readonly HeaderField[];
  /** Lower case, `text/plain` when the message does not say. */
  readonly mimeType: string;
  readonly charset: string;
  readonly filename: string;
  readonly disposition: string;
  readonly contentId: string;
  /** Lower-case transfer encoding, '' when absent. */
  readonly encoding: string;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly parts: readonly MimePart[];
}

/** Deeper parts stay opaque: hostile mail nests hundreds of levels. */
const MAX_DEPTH = 50;
const MAX_PARTS = 1000;

export function parseMime(raw: Buffer): MimePart {
  return parsePart(raw, 0, raw.length, '', 0, { left: MAX_PARTS });
}

function parsePart(
  raw: Buffer,
  start: number,
  end: number,
  partId: string,
  depth: number,
  budget: { left: number },
): MimePart {
  const { fields, bodyStart } = parseHeaderBlock(raw, start, end);
  const type = parseStructured(fields, 'content-type');
  const disposition = parseStructured(fields, 'content-disposition');
  const mimeType = /^[\w.+-]+\/[\w.+-]+$/.test(type.value) ? type.value : 'text/plain';
  const head = {
    partId,
    fields,
    mimeType,
    charset: type.params.charset ?? '',
    filename: decodeWords(disposition.params.filename ?? type.params.name ?? ''),
    disposition: disposition.value,
    contentId: fieldOf(fields, 'content-id'),
    encoding: fieldOf(fields, 'content-transfer-encoding').toLowerCase(),
    bodyStart,
    bodyEnd: end,
  };
  const childId = (at: number): string => (partId === '' ? String(at) : `${partId}.${at}`);
  if (depth >= MAX_DEPTH || budget.left <= 0) return { ...head, parts: [] };

  if (mimeType.startsWith('multipart/') && type.params.boundary) {
    const parts: MimePart[] = [];
    for (const range of splitMultipart(raw, bodyStart, end, type.params.boundary)) {
      if (budget.left-- <= 0) break;
      parts.push(parsePart(raw, range.start, range.end, childId(parts.length), depth + 1, budget));
    }
    return { ...head, parts };
  }
  if (mimeType === 'message/rfc822' && head.encoding !== 'base64') {
    budget.left--;
    return { ...head, parts: [parsePart(raw, bodyStart, end, childId(0), depth + 1, budget)] };
  }
  return { ...head, parts: [] };
}

function fieldOf(fields: readonly HeaderField[], name: string): string {
  return fields.find((field) => field.name.toLowerCase() === name)?.value.trim() ?? '';
}

function parseStructured(
  fields: readonly HeaderField[],
  name: string,
): { value: string; params: Record<string, string | undefined> } {
  const raw = fieldOf(fields, name);
  if (raw === '') return { value: '', params: {} };
  const parsed = libmime.parseHeaderValue(raw);
  return { value: parsed.value.trim().toLowerCase(), params: parsed.params };
}

/** Ranges between the delimiter lines of a multipart body; a missing end delimiter ends at `end` (RFC 2046 §5.1.1). */
export function splitMultipart(
  raw: Buffer,
  start: number,
  end: number,
  boundary: string,
): { start: number; end: number }[] {
  const delimiter = Buffer.from(`--${boundary}`, 'utf8');
  const ranges: { start: number; end: number }[] = [];
  let partStart = -1;
  let at = raw.indexOf(delimiter, start);
  while (at >= 0 && at < end) {
    const after = at + delimiter.length;
    const newline = raw.indexOf(10, after);
    const lineEnd = newline < 0 || newline >= end ? end : newline + 1;
    const rest = raw.toString('latin1', after, lineEnd).trim();
    const atLineStart = at === start || raw[at - 1] === 10;
    if (atLineStart && (rest === '' || rest === '--')) {
      if (partStart >= 0) ranges.push({ start: partStart, end: Math.max(partStart, beforeLineEnd(raw, at)) });
      if (rest === '--') return ranges;
      partStart = lineEnd;
      at = raw.indexOf(delimiter, lineEnd);
    } else at = raw.indexOf(delimiter, after);
  }
  if (partStart >= 0) ranges.push({ start: partStart, end });
  return ranges;
}

/** The line end before a delimiter belongs to the delimiter. */
function beforeLineEnd(raw: Buffer, at: number): number {
  if (raw[at - 1] !== 10) return at;
  return raw[at - 2] === 13 ? at - 2 : at - 1;
}

export function* walkParts(part: MimePart): Generator<MimePart> {
  yield part;
  for (const child of part.parts) yield* walkParts(child);
}
