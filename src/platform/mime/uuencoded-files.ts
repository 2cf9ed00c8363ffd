import { detectMimeType } from 'libmime';
import { bodyOf } from './body-text';
import type { MimeEntity } from './mime-tree';
import { parseStructuredValue } from './header-text';
import { createPart } from './created-part';
import { decodeBounded, UNENCODED } from './transfer-decoder';

const LF = 0x0a;
const CR = 0x0d;
const BEGIN = Buffer.from('begin ');
const BEGIN_LINE = /^begin [0-7]{3,4} (\S.{0,254})$/;
/** Most bytes of a text in which files are looked for. */
const MAX_TEXT = 32 * 1024 * 1024;
const MAX_FILES = 100;

interface UuencodedFile {
  readonly name: string;
  /** From the `begin` line to the end of the `end` line. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a text that contains uuencoded files (POSIX `uuencode`) as a multipart of the text around them and the files. Null for a
 * text without files. Recognition is strict: mode and name, lines of the length that they announce in the characters of the
 * format, and an end. Everything else is text.
 */
export function splitUuencodedText(leaf: MimeEntity): MimeEntity | null {
  if (leaf.encoding === 'base64' ? leaf.bodyEnd - leaf.bodyStart > MAX_TEXT : !bodyOf(leaf).includes(BEGIN))
    return null;
  const isAsIs = UNENCODED.has(leaf.encoding);
  const text = isAsIs ? bodyOf(leaf) : decodeBounded(bodyOf(leaf), leaf.encoding, MAX_TEXT);
  const files = findFiles(text);
  if (files.length === 0) return null;
  const content = createPart({
    source: text,
    partId: leaf.partId,
    mediaType: 'multipart/mixed',
    start: 0,
    end: text.length,
  });
  const between: Buffer[] = [];
  let end = 0;
  for (const file of files) {
    between.push(text.subarray(end, file.start));
    end = file.end;
  }
  between.push(text.subarray(end));
  const rest = Buffer.concat(between);
  const shown: MimeEntity = {
    ...leaf,
    source: rest,
    partId: `${leaf.partId}.0`,
    bodyStart: 0,
    bodyEnd: rest.length,
    encoding: 'binary',
    contentType: { ...leaf.contentType, parameters: withoutName(leaf.contentType.parameters) },
    disposition: parseStructuredValue('inline'),
  };
  const offset = isAsIs ? leaf.bodyStart : 0;
  const parts = files.map(({ name, start, end: fileEnd }, index) =>
    createPart({
      source: isAsIs ? leaf.source : text,
      partId: `${leaf.partId}.${index + 1}`,
      mediaType: detectMimeType(name) || 'application/octet-stream',
      filename: name,
      encoding: 'x-uuencode',
      start: offset + start,
      end: offset + fileEnd,
    }),
  );
  content.children = [shown, ...parts];
  return content;
}

const withoutName = (parameters: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...parameters].filter(([name]) => name !== 'name'));

function findFiles(text: Buffer): UuencodedFile[] {
  const files: UuencodedFile[] = [];
  for (
    let pos = text.indexOf(BEGIN);
    pos !== -1 && files.length < MAX_FILES;
    pos = text.indexOf(BEGIN, pos)
  ) {
    const file = pos === 0 || text[pos - 1] === LF ? fileAt(text, pos) : null;
    if (file) files.push(file);
    pos = file ? file.end : pos + BEGIN.length;
  }
  return files;
}

function fileAt(text: Buffer, start: number): UuencodedFile | null {
  const begin = lineAt(text, start);
  const name = BEGIN_LINE.exec(text.toString('latin1', start, begin.end).trimEnd())?.[1];
  if (name === undefined) return null;
  let hasData = false;
  for (let pos = begin.next; pos < text.length;) {
    const line = lineAt(text, pos);
    const isEnd = text.toString('latin1', pos, line.end) === 'end';
    if (isEnd) return hasData ? { name, start, end: line.next } : null;
    // The line of no bytes before the end is a blank, which may have been stripped on the way.
    const isBlank = line.end === pos && text.toString('latin1', line.next, line.next + 3) === 'end';
    if (!isBlank && !isDataLine(text, pos, line.end)) return null;
    hasData ||= line.end - pos > 1;
    pos = line.next;
  }
  return null;
}

/** A line has a sign for its number of bytes and four characters for every three of them; a checksum may follow. */
function isDataLine(text: Buffer, start: number, end: number): boolean {
  if (start === end) return false;
  for (let pos = start; pos < end; pos += 1) {
    const byte = text[pos] as number;
    if (byte < 0x20 || byte > 0x60) return false;
  }
  const size = ((text[start] as number) - 0x20) & 0x3f;
  const characters = end - start - 1;
  return characters >= Math.ceil((size * 4) / 3) && characters <= Math.ceil(size / 3) * 4 + 1;
}

/** @returns the end of the content of the line, and the start of the next one */
function lineAt(text: Buffer, start: number): { end: number; next: number } {
  const lf = text.indexOf(LF, start);
  const next = lf === -1 ? text.length : lf + 1;
  let end = lf === -1 ? text.length : lf;
  while (end > start && text[end - 1] === CR) end -= 1;
  return { end, next };
}
