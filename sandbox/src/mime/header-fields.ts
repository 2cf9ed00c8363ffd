import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import libmime from 'libmime';

/** One header field: the name as written, the value unfolded but still encoded. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

const LF = 10;
const CR = 13;
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Reads the header block at `start`. Bare LF ends a line as CRLF does; a line that is no field is skipped.
 * `bodyStart` is the first byte after the empty line, or `end` when there is none.
 */
export function parseHeaderBlock(
  bytes: Buffer,
  start: number,
  end: number,
): { fields: HeaderField[]; bodyStart: number } {
  const fields: HeaderField[] = [];
  let fieldStart = -1;
  let at = start;
  const finishField = (fieldEnd: number): void => {
    if (fieldStart < 0) return;
    const field = parseField(bytes, fieldStart, fieldEnd);
    if (field !== undefined) fields.push(field);
    fieldStart = -1;
  };
  while (at < end) {
    const newline = bytes.indexOf(LF, at);
    const next = newline < 0 || newline >= end ? end : newline + 1;
    const first = bytes[at];
    if (first === LF || (first === CR && bytes[at + 1] === LF && at + 1 < end)) {
      finishField(at);
      return { fields, bodyStart: next };
    }
    if (first !== 0x20 && first !== 0x09) {
      finishField(at);
      fieldStart = at;
    }
    at = next;
  }
  finishField(end);
  return { fields, bodyStart: end };
}

function parseField(bytes: Buffer, start: number, end: number): HeaderField | undefined {
  const colon = bytes.indexOf(0x3a, start);
  if (colon < 0 || colon >= end) return undefined;
  const name = bytes.toString('latin1', start, colon).trimEnd();
  if (name === '' || /[^\x21-\x7e]/.test(name)) return undefined;
  const value = decodeBytes(bytes.subarray(colon + 1, end))
    .replace(/\r?\n(?=[ \t])/g, '')
    .replace(/[\r\n]+$/, '')
    .trim();
  return { name, value };
}

/** UTF-8 when valid, else Windows-1252: what readers guess for unlabelled 8-bit text. */
export function decodeBytes(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : WINDOWS_1252.decode(bytes);
}

/** The value with RFC 2047 encoded words decoded. */
export function decodeWords(value: string): string {
  return value.includes('=?') ? libmime.decodeWords(value) : value;
}

/** The first value of that name (any case), decoded; empty when there is none. */
export function firstValue(fields: readonly HeaderField[], name: string): string {
  const wanted = name.toLowerCase();
  const field = fields.find((candidate) => candidate.name.toLowerCase() === wanted);
  return field === undefined ? '' : decodeWords(field.value);
}

/** All values of that name joined by commas, decoded. */
export function allValues(fields: readonly HeaderField[], name: string): string {
  const wanted = name.toLowerCase();
  return fields
    .filter((candidate) => candidate.name.toLowerCase() === wanted)
    .map((field) => decodeWords(field.value))
    .join(', ');
}
