const MAX_SUBJECT_BYTES = 120;
const DOS_DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

export interface EmlPathSource {
  /** The id of the mail in the archive; its last eight letters or digits make the name unique. */
  id: string;
  subject: string;
  date: Date | null;
}

/**
 * The path of a mail in a ZIP export: `<yyyy-mm>/<yyyy-mm-dd>_<subject>_<last 8 of id>.eml`, the date in UTC. Safe
 * on every common file system: no reserved or invisible characters, no device names, NFC, under 200 bytes.
 */
export function emlPath({ id, subject, date }: EmlPathSource): string {
  const day = dayOf(date);
  const month = day === 'undated' ? day : day.slice(0, 7);
  const suffix = id.replace(/[^A-Za-z0-9]/g, '').slice(-8) || '00000000';
  return `${month}/${day}_${safeSubject(subject)}_${suffix}.eml`;
}

function dayOf(date: Date | null): string {
  const year = date?.getUTCFullYear() ?? NaN;
  return date && year >= 0 && year <= 9999 ? date.toISOString().slice(0, 10) : 'undated';
}

function safeSubject(subject: string): string {
  const plain = subject
    .slice(0, 1_000)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ');
  const short = trimEnds(cutToBytes(trimEnds(plain)));
  if (short === '') return 'no subject';
  return DOS_DEVICE.test(short) ? `${short}-` : short;
}

/** Windows drops dots and spaces at the end of a name; a leading dot hides a file elsewhere. */
function trimEnds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === '.' || text[start] === ' ')) start++;
  while (end > start && (text[end - 1] === '.' || text[end - 1] === ' ')) end--;
  return text.slice(start, end);
}

function cutToBytes(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_SUBJECT_BYTES) break;
    kept += character;
  }
  return kept;
}
