import type { Storage } from '../../../platform/documents/compound-file';
import { identifierOfName, PUBLIC_STRINGS } from './named-properties';

const NAMES = '__nameid_version1.0';
const SETS = '__substg1.0_00020102';
const ENTRIES = '__substg1.0_00030102';
const TEXTS = '__substg1.0_00040102';
const ENTRY_SIZE = 8;
const SET_SIZE = 16;
/** Sets with these numbers are not listed: that of no set, MAPI's and that of names in text. */
const FIRST_LISTED_SET = 3;
const PUBLIC_STRINGS_SET = 2;
/** Longest text of a name that is read, in bytes: the names that are looked for are shorter. */
const MAX_NAME = 512;
const FIRST_IDENTIFIER = 0x8000;
const HAS_TEXT_NAME = 1;

/** The named properties of a `.msg` file that are read: their identifiers in the file, and those of this service (MS-OXMSG 2.2.3). */
export function readMsgNames(root: Storage): ReadonlyMap<number, number> {
  const streams = root.storages.get(NAMES)?.streams;
  const sets = streams?.get(SETS)?.() ?? Buffer.alloc(0);
  const entries = streams?.get(ENTRIES)?.() ?? Buffer.alloc(0);
  const texts = streams?.get(TEXTS)?.() ?? Buffer.alloc(0);
  const names = new Map<number, number>();
  for (let at = 0; at + ENTRY_SIZE <= entries.length; at += ENTRY_SIZE) {
    const kind = entries.readUInt16LE(at + 4);
    const set = setOf(kind >>> 1, sets);
    const name = kind & HAS_TEXT_NAME ? textAt(entries.readUInt32LE(at), texts) : entries.readUInt32LE(at);
    const known = set === null || name === null ? null : identifierOfName(set, name);
    if (known !== null) names.set(FIRST_IDENTIFIER + entries.readUInt16LE(at + 6), known);
  }
  return names;
}

function setOf(number: number, sets: Buffer): Buffer | null {
  if (number === PUBLIC_STRINGS_SET) return Buffer.from(PUBLIC_STRINGS, 'hex');
  const start = (number - FIRST_LISTED_SET) * SET_SIZE;
  return start < 0 || start + SET_SIZE > sets.length ? null : sets.subarray(start, start + SET_SIZE);
}

/** A text in the stream of texts: its length in bytes, then UTF-16. @returns null for one that is cut off or too long */
function textAt(start: number, texts: Buffer): string | null {
  if (start + 4 > texts.length) return null;
  const length = texts.readUInt32LE(start);
  if (length > MAX_NAME || start + 4 + length > texts.length) return null;
  return texts.toString('utf16le', start + 4, start + 4 + length);
}
