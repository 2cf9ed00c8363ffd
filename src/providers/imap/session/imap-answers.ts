/**
 * A token of an answer as the IMAP client's parser returns it: an atom, string or literal, a list of tokens, or null
 * for NIL.
 */
export type Token = TokenValue | TokenList | null;
export type TokenList = readonly Token[];

export interface TokenValue {
  readonly type: string;
  readonly value: string | Buffer;
  /** Content of the brackets of `BODY[…]`. */
  readonly section?: TokenList;
  readonly partial?: readonly number[];
}

/** An answer that is not tagged, e.g. `* 3 FETCH (…)`. */
export interface UntaggedAnswer {
  readonly command: string;
  readonly attributes?: TokenList;
}

const MAX_FLAGS = 200;
const MAX_FLAG = 255;
const MAX_UID = 4_294_967_295;
const TWO_DIGITS = String.raw`\d{1,2}`;
const DATE_TIME = new RegExp(
  String.raw`^\s?(${TWO_DIGITS})-([A-Za-z]{3})-(\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})$`,
);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

export const isList = (token: Token | undefined): token is TokenList => Array.isArray(token);
const isValue = (token: Token | undefined): token is TokenValue =>
  token !== null && token !== undefined && !Array.isArray(token);

/** Returns the text of an atom, string or literal, decoded as UTF-8; null for other tokens. */
export function textOf(token: Token | undefined): string | null {
  if (!isValue(token)) return null;
  return Buffer.isBuffer(token.value) ? token.value.toString('utf8') : String(token.value ?? '');
}

/**
 * Returns the bytes of a string or literal; null for NIL. Also null when the parser has decoded bytes that are not
 * UTF-8, since they cannot be recovered.
 */
export function bytesOf(token: Token | undefined): Buffer | null {
  if (!isValue(token)) return null;
  if (Buffer.isBuffer(token.value)) return token.value;
  return token.value.includes('\ufffd') ? null : Buffer.from(token.value, 'utf8');
}

/** Returns an unsigned number of at most 15 digits; null for other tokens. */
export function numberOf(token: Token | undefined): number | null {
  const text = textOf(token);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * Returns a number of up to 64 bits as text; null for other tokens. Mod-sequences (RFC 7162) exceed the exact range of
 * a number.
 */
export function bigNumberOf(token: Token | undefined): string | null {
  const found = isList(token) ? token[0] : token;
  const text = textOf(found);
  return text !== null && /^\d{1,20}$/.test(text) ? text : null;
}

/** Usual spelling of flags, by the flag in lower case. Flags are case-insensitive (RFC 3501 §2.3.2). */
const FLAGS = new Map(
  ['\\Seen', '\\Flagged', '\\Deleted', '\\Draft', '\\Answered', '$Important'].map((flag) => [
    flag.toLowerCase(),
    flag,
  ]),
);

/** Returns flags and keywords, sorted. Excess ones, and \\Recent, which belongs to the session, are left out. */
export function flagsOf(token: Token | undefined): string[] {
  if (!isList(token)) return [];
  const flags = token
    .flatMap((flag) => textOf(flag) ?? [])
    .map((flag) => FLAGS.get(flag.toLowerCase()) ?? flag)
    .filter((flag) => flag.toLowerCase() !== '\\recent' && !/\s/.test(flag));
  return [...new Set(flags.filter((flag) => flag !== '' && flag.length <= MAX_FLAG))]
    .slice(0, MAX_FLAGS)
    .sort();
}

const MAX_LABELS = 5_000;

/** Returns the labels of X-GM-LABELS as the server sends them, system labels with a backslash in front. */
export function labelsOf(token: Token | undefined): string[] {
  if (!isList(token)) return [];
  return [...new Set(token.flatMap((label) => textOf(label) ?? []))].slice(0, MAX_LABELS);
}

/** Parses a `date-time` of RFC 3501 §9; null for other tokens. */
export function dateOf(token: Token | undefined): Date | null {
  const match = DATE_TIME.exec(textOf(token) ?? '');
  if (!match) return null;
  const [, day, month, year, hours, minutes, seconds, zoneHours, zoneMinutes] = match;
  const monthIndex = MONTHS.indexOf((month as string).toLowerCase());
  if (monthIndex < 0) return null;
  const local = Date.UTC(
    Number(year),
    monthIndex,
    Number(day),
    Number(hours),
    Number(minutes),
    Number(seconds),
  );
  const zone = Number(zoneHours) * 60 + Math.sign(Number(`${zoneHours}1`)) * Number(zoneMinutes);
  const date = new Date(local - zone * 60_000);
  return Number.isNaN(date.getTime()) ? null : date;
}

const padTwo = (value: number): string => String(value).padStart(2, '0');

/** Formats a `date` of RFC 3501 §9 for searches, in UTC. */
export function dateText(date: Date): string {
  const month = MONTHS[date.getUTCMonth()] as string;
  return `${padTwo(date.getUTCDate())}-${month[0]!.toUpperCase()}${month.slice(1)}-${date.getUTCFullYear()}`;
}

/** Formats a `date-time` for commands, in UTC. */
export function dateTime(date: Date): string {
  return `${dateText(date)} ${padTwo(date.getUTCHours())}:${padTwo(date.getUTCMinutes())}:${padTwo(date.getUTCSeconds())} +0000`;
}

/** Returns the items of `* n FETCH (UID 3 FLAGS (…) …)` by their names in upper case; `BODY[…]` is under `BODY[]`. */
export function fetchItems({ attributes }: UntaggedAnswer): Map<string, Token> {
  const items = new Map<string, Token>();
  const list = attributes?.find(isList) ?? [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    const name = list[index];
    if (!isValue(name)) continue;
    const key = textOf(name)!.toUpperCase();
    items.set(name.section ? `${key.replace(/\[.*$/s, '')}[]` : key, list[index + 1] ?? null);
  }
  return items;
}

/** Returns the pairs of a list such as that of STATUS: `MESSAGES 3 UIDNEXT 7`. */
export function pairsOf(list: TokenList): Map<string, Token> {
  const pairs = new Map<string, Token>();
  for (let index = 0; index + 1 < list.length; index += 2) {
    const name = textOf(list[index]);
    if (name !== null) pairs.set(name.toUpperCase(), list[index + 1] ?? null);
  }
  return pairs;
}

/** Returns the parts of the response code in brackets of a status answer, e.g. `COPYUID`, `7`, `1:3`, `8:10`. */
export function responseCode({ attributes }: UntaggedAnswer): readonly (string | TokenList)[] {
  const [first] = attributes ?? [];
  if (!isValue(first) || !first.section) return [];
  return first.section.map((token) => (isList(token) ? token : (textOf(token) ?? '')));
}

/**
 * Parses the UIDs of a set in the order in which it names them, for COPYUID (RFC 4315 §3).
 * @returns null when it is not a set, or names more than `most`
 */
export function orderedUids(set: string, most: number): number[] | null {
  const uids: number[] = [];
  for (const part of set.split(',')) {
    const match = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(part);
    if (!match) return null;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (from < 1 || to < 1 || from > MAX_UID || to > MAX_UID) return null;
    if (Math.abs(to - from) + 1 + uids.length > most) return null;
    const step = from <= to ? 1 : -1;
    for (let uid = from; uid !== to + step; uid += step) uids.push(uid);
  }
  return uids;
}
