import { isUtf8 } from 'node:buffer';

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const TAB = 0x09;
/** Bytes of the header that are looked at. */
const MAX_HEADER = 512 * 1024;
const MAX_NAME = 40;
const MAX_VALUE = 2_000;

/** Fields in which mail servers note for whom a message was when they hand it on. */
const RECIPIENT_FIELDS = new Set([
  'x-original-to',
  'x-gm-original-to',
  'delivered-to',
  'envelope-to',
  'x-envelope-to',
]);
const ADDRESS = /[^\s<>,;:"()]{1,256}@[^\s<>,;:"()]{1,255}/g;
const MAX_RECIPIENTS = 100;

/** The fields of a header that decide what becomes of a copied message. */
export interface CopiedHeader {
  /** Number of hops that the message has taken, by its Received fields. */
  readonly hops: number;
  /** Whether the message is a journal report of Exchange. */
  readonly isReport: boolean;
  readonly messageId: string | null;
  /** Addresses for which mail servers say the message was. */
  readonly recipients: readonly string[];
}

/** Reads the header of a message as bytes, in one pass; only values that are needed become text. */
export function readCopiedHeader(raw: Buffer): CopiedHeader {
  const end = Math.min(raw.length, MAX_HEADER);
  let hops = 0;
  let isReport = false;
  let messageId: string | null = null;
  const recipients = new Set<string>();
  for (let start = 0; start < end;) {
    const lineEnd = endOfLine(raw, start, end);
    if (isEmptyLine(raw, start, lineEnd)) break;
    const colon = raw.subarray(start, Math.min(lineEnd, start + MAX_NAME)).indexOf(COLON);
    // Continued lines belong to their field.
    let next = lineEnd;
    while (next < end && (raw[next] === SPACE || raw[next] === TAB)) next = endOfLine(raw, next, end);
    if (colon > 0) {
      const name = raw
        .toString('latin1', start, start + colon)
        .trimEnd()
        .toLowerCase();
      const valueStart = start + colon + 1;
      const value = raw.subarray(valueStart, Math.min(next, valueStart + MAX_VALUE));
      if (name === 'received') hops += 1;
      else if (name === 'x-ms-journal-report') isReport = true;
      else if (name === 'message-id') messageId ??= value.toString('latin1').trim();
      else if (RECIPIENT_FIELDS.has(name))
        for (const [address] of textOf(value).matchAll(ADDRESS))
          if (recipients.size < MAX_RECIPIENTS) recipients.add(address);
    }
    start = next;
  }
  return { hops, isReport, messageId, recipients: [...recipients] };
}

/** Headers are ASCII, or UTF-8 (RFC 6532); other bytes are what old programs write. */
const textOf = (value: Buffer): string => value.toString(isUtf8(value) ? 'utf8' : 'latin1');

function endOfLine(raw: Buffer, start: number, end: number): number {
  const lf = raw.indexOf(LF, start);
  return lf === -1 || lf >= end ? end : lf + 1;
}

const isEmptyLine = (raw: Buffer, start: number, end: number): boolean =>
  raw[start] === LF || (raw[start] === CR && end - start === 2);
