import type { RestoreNote } from './restore.entity';

const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Similarity of a message in a mailbox to the archived one: `same`, every byte; `fields-added`, every byte and further header
 * fields, which some providers add; `line-ends`, every byte but CR and LF, which IMAP servers make uniform; or `different`.
 */
export type Likeness = 'same' | 'fields-added' | 'line-ends' | 'different';

/** Compares a message with one in a mailbox. Both are read as bytes, never decoded. */
export function likenessOf(original: Buffer, arrived: Buffer): Likeness {
  if (original.equals(arrived)) return 'same';
  if (isSameButLineEnds(original, arrived)) return 'line-ends';
  const mine = splitMessage(original);
  const theirs = splitMessage(arrived);
  if (!original.subarray(mine.bodyStart).equals(arrived.subarray(theirs.bodyStart))) return 'different';
  let next = 0;
  for (const field of theirs.fields) {
    const wanted = mine.fields[next];
    if (wanted && wanted.equals(field)) next += 1;
  }
  return next === mine.fields.length ? 'fields-added' : 'different';
}

/** Whether both are equal after CR, LF and CRLF are treated alike. */
function isSameButLineEnds(one: Buffer, other: Buffer): boolean {
  let at = 0;
  let otherAt = 0;
  while (at < one.length && otherAt < other.length) {
    const [byte, otherByte] = [one[at], other[otherAt]];
    const ends = byte === CR || byte === LF;
    if (ends !== (otherByte === CR || otherByte === LF)) return false;
    if (!ends && byte !== otherByte) return false;
    at += ends && byte === CR && one[at + 1] === LF ? 2 : 1;
    otherAt += ends && otherByte === CR && other[otherAt + 1] === LF ? 2 : 1;
  }
  return at === one.length && otherAt === other.length;
}

/** Difference of dates that counts as none, in milliseconds: providers keep dates to the second, and clocks differ. */
const SAME_DATE_MS = 60_000;

/** Notes about a message that has arrived. @param at its date in the mailbox; null: not known */
export function arrivalNotesOf(likeness: Likeness, date: Date, at: Date | null): RestoreNote[] {
  const notes: RestoreNote[] = [];
  if (at && Math.abs(at.getTime() - date.getTime()) > SAME_DATE_MS) notes.push('date-differs');
  if (likeness === 'fields-added') notes.push('fields-added');
  if (likeness === 'line-ends' || likeness === 'different') notes.push('bytes-differ');
  return notes;
}

interface SplitMessage {
  /** Header fields with their continuation lines and line ends. */
  readonly fields: readonly Buffer[];
  /** Offset of the empty line after the header. */
  readonly bodyStart: number;
}

function splitMessage(message: Buffer): SplitMessage {
  const fields: Buffer[] = [];
  let fieldStart = 0;
  for (let start = 0; ;) {
    const isEnd =
      start >= message.length ||
      message[start] === LF ||
      (message[start] === CR && message[start + 1] === LF);
    const continues = !isEnd && (message[start] === SPACE || message[start] === TAB);
    if (!continues && start > fieldStart) {
      fields.push(message.subarray(fieldStart, start));
      fieldStart = start;
    }
    if (isEnd) return { fields, bodyStart: Math.min(start, message.length) };
    const lineEnd = message.indexOf(LF, start);
    start = lineEnd === -1 ? message.length : lineEnd + 1;
  }
}
