/** A kind of file that is no mail format, or none that is read. */
export interface OtherKind {
  /** Description of the file for people: `a PDF document`. */
  readonly what: string;
  /** Whether it may hold mail, so that it must not be passed over in silence. */
  readonly mayHoldMail: boolean;
}

const kind = (what: string, mayHoldMail = false): OtherKind => ({ what, mayHoldMail });
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Signatures at the beginning of files. */
const SIGNATURES: readonly (readonly [Buffer, OtherKind])[] = [
  [Buffer.from('%PDF-'), kind('a PDF document')],
  [Buffer.from('!BDN'), kind('an address book of Outlook')],
  [bytes('cfad12fe'), kind('a DBX file of Outlook Express', true)],
  [bytes('d0cf11e0a1b11ae1'), kind('an Office document')],
  [Buffer.from('Rar!\x1a\x07', 'latin1'), kind('a RAR archive', true)],
  [bytes('377abcaf271c'), kind('a 7z archive', true)],
  [bytes('fd377a585a00'), kind('a file compressed with xz', true)],
  [bytes('28b52ffd'), kind('a file compressed with Zstandard', true)],
  [Buffer.from('BZh'), kind('a file compressed with bzip2', true)],
  [Buffer.from('BABYL OPTIONS'), kind('a Babyl file of Rmail', true)],
  [bytes('01010101'), kind('an MMDF mailbox', true)],
  [bytes('ffd8ff'), kind('a JPEG picture')],
  [bytes('89504e470d0a1a0a'), kind('a PNG picture')],
  [Buffer.from('GIF8'), kind('a GIF picture')],
  [Buffer.from('SQLite format 3\0'), kind('an SQLite database')],
  [Buffer.from('MZ'), kind('a program')],
  [Buffer.from('\x7fELF', 'latin1'), kind('a program')],
  [Buffer.from('{\\rtf'), kind('an RTF document')],
  [Buffer.from('BEGIN:VCARD'), kind('a contact (vCard)')],
  [Buffer.from('BEGIN:VCALENDAR'), kind('a calendar (iCalendar)')],
];

/** The kind of a file in which no mail format was recognised, by its beginning; null: not known. */
export function describeOther(start: Buffer): OtherKind | null {
  const found = SIGNATURES.find(([signature]) => start.subarray(0, signature.length).equals(signature));
  if (found) return found[1];
  if (start.toString('latin1', 4, 8) === 'ftyp') return kind('a video or a picture');
  const text = start
    .toString('latin1', 0, 512)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (/^(?:<!doctype html|<html)/i.test(text)) return kind('an HTML page');
  if (/^From: <saved by /im.test(text)) return kind('a saved page (MHTML)');
  if (text.startsWith('<?xml')) return kind('an XML file');
  if (/^[[{]\s*["{[\]}]/.test(text)) return kind('a JSON file');
  if (start.length > 0 && !start.includes(0)) return kind('a text without the header of a message');
  return null;
}
