import type { Storage } from './compound-file';
import { identifierOfName } from './named-properties';

const NAMES = '__nameid_version1.0';
const SETS = '__substg1.0_00020102';
const ENTRIES = '__substg1.0_00030102';
const ENTRY_SIZE = 8;
const SET_SIZE = 16;
/** Sets with these numbers are not listed: that of no set, MAPI's and that of names in text. */
const FIRST_LISTED_SET = 3;
const FIRST_IDENTIFIER = 0x8000;
const HAS_TEXT_NAME = 1;

/** The named properties of a `.msg` file that are read: their identifiers in the file, and those of this service (MS-OXMSG 2.2.3). */
export function readMsgNames(root: Storage): ReadonlyMap<number, number> {
  const streams = root.storages.get(NAMES)?.streams;
  const sets = streams?.get(SETS)?.() ?? Buffer.alloc(0);
  const entries = streams?.get(ENTRIES)?.() ?? Buffer.alloc(0);
  const names = new Map<number, number>();
  for (let at = 0; at + ENTRY_SIZE <= entries.length; at += ENTRY_SIZE) {
    const kind = entries.readUInt16LE(at + 4);
    const start = ((kind >>> 1) - FIRST_LISTED_SET) * SET_SIZE;
    if (kind & HAS_TEXT_NAME || start < 0 || start + SET_SIZE > sets.length) continue;
    const known = identifierOfName(sets.subarray(start, start + SET_SIZE), entries.readUInt32LE(at));
    if (known !== null) names.set(FIRST_IDENTIFIER + entries.readUInt16LE(at + 6), known);
  }
  return names;
}
