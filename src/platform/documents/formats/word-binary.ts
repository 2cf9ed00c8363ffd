import { decodeCharset } from '../../mime/charset';
import type { Storage } from '../compound-file';
import { damaged, protectedByPassword } from '../document-text';

/** Positions in the header of a document (MS-DOC 2.5, FibBase and FibRgFcLcb97). */
const FIB = { magic: 0xa5ec, flags: 0x0a, piecesAt: 0x01a2, piecesLength: 0x01a6, least: 0x01aa };
const ENCRYPTED = 0x0100;
const SECOND_TABLE = 0x0200;
/** Parts of the table of pieces (MS-DOC 2.9.38). */
const CLX = { properties: 1, pieces: 2 };
const POSITION_BYTES = 4;
const PIECE_BYTES = 8;
const COMPRESSED = 0x40000000;

/** Characters with a meaning (MS-DOC 2.4.1, 2.8.25); the instruction of a field stands between 13h and 14h. */
// eslint-disable-next-line no-control-regex
const FIELD = /\u0013[^\u0013\u0014\u0015]*\u0014?|\u0015/g;
// eslint-disable-next-line no-control-regex
const SEPARATING = /[\r\u0007\u000b\u000c\u000e\u001e\u001f]/g;
// eslint-disable-next-line no-control-regex
const OTHER_SIGNS = /[\u0001-\u0008\u0010-\u001d]/g;
const SEPARATORS: Readonly<Record<string, string>> = {
  '\r': '\n', '\u000b': '\n', '\u000c': '\n', '\u000e': '\n', '\u0007': '\t', '\u001e': '-', '\u001f': '',
}; // prettier-ignore

/**
 * Reads a document of Word 97 to 2003 (DOC): text, notes, headers and comments stand behind each other.
 * @throws DocumentUnread; CompoundFileDamage
 */
export function readWordBinary(root: Storage): string {
  const main = root.streams.get('WordDocument')?.() ?? Buffer.alloc(0);
  if (main.length < FIB.least || main.readUInt16LE(0) !== FIB.magic) throw damaged();
  const flags = main.readUInt16LE(FIB.flags);
  if ((flags & ENCRYPTED) !== 0) throw protectedByPassword();
  const table = root.streams.get((flags & SECOND_TABLE) !== 0 ? '1Table' : '0Table')?.();
  if (!table) throw damaged();
  const start = main.readUInt32LE(FIB.piecesAt);
  const pieces = findPieces(table.subarray(start, start + main.readUInt32LE(FIB.piecesLength)));
  return readPieces(main, pieces)
    .replace(FIELD, '')
    .replace(SEPARATING, (sign) => SEPARATORS[sign] ?? '')
    .replace(OTHER_SIGNS, '');
}

function findPieces(clx: Buffer): Buffer {
  for (let at = 0; at + 5 <= clx.length;) {
    if (clx[at] === CLX.pieces) return clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
    if (clx[at] !== CLX.properties) break;
    at += 3 + clx.readUInt16LE(at + 1);
  }
  throw damaged();
}

function readPieces(main: Buffer, table: Buffer): string {
  const count = Math.floor((table.length - POSITION_BYTES) / (POSITION_BYTES + PIECE_BYTES));
  const texts: string[] = [];
  // Pieces that overlap cannot make the text longer than the file: a document has each character once.
  let left = main.length;
  for (let index = 0; index < count; index += 1) {
    const length =
      table.readUInt32LE((index + 1) * POSITION_BYTES) - table.readUInt32LE(index * POSITION_BYTES);
    const place = table.readUInt32LE((count + 1) * POSITION_BYTES + index * PIECE_BYTES + 2);
    const isCompressed = (place & COMPRESSED) !== 0;
    const start = isCompressed ? (place & ~COMPRESSED) / 2 : place;
    const bytes = isCompressed ? length : 2 * length;
    if (length < 0 || bytes > left || start + bytes > main.length) throw damaged();
    left -= bytes;
    const piece = main.subarray(start, start + bytes);
    texts.push(isCompressed ? decodeCharset(piece, 'windows-1252') : piece.toString('utf16le'));
  }
  return texts.join('');
}
