import { beginsAt, endsAt, isDigitAt, isLetterAt } from '../../../platform/text/characters';
import { contextWords, isFollowedBy, judge, OTHER_NUMBERS } from './context';
import { gapAfter, readNumber, shorten, WrittenNumber } from './number-reader';
import type { PiiSpan } from './pii-match';

/** A range of issuer numbers with the lengths its cards have. */
interface IssuerRange {
  readonly low: string;
  readonly high: string;
  readonly lengths: readonly number[];
  /** Whether such cards are rare, so that a number counts only when the text speaks of a card. */
  readonly isRare?: boolean;
}

const range = (low: string, high: string, lengths: readonly number[], isRare?: boolean): IssuerRange => ({
  low,
  high,
  lengths,
  isRare,
});

/** ISO/IEC 7812 issuer ranges with the lengths in use; the first that fits counts. */
const RANGES: readonly IssuerRange[] = [
  range('4', '4', [16]),
  range('4', '4', [13, 18, 19], true),
  range('51', '55', [16]),
  range('2221', '2720', [16]),
  range('34', '34', [15]),
  range('37', '37', [15]),
  range('300', '305', [14, 16, 19], true),
  range('36', '36', [14, 16, 19], true),
  range('38', '39', [14, 16, 19], true),
  range('6011', '6011', [16]),
  range('644', '649', [16]),
  range('65', '65', [16]),
  range('6011', '6011', [19], true),
  range('644', '649', [19], true),
  range('65', '65', [19], true),
  range('3528', '3589', [16]),
  range('3528', '3589', [17, 18, 19], true),
  range('2131', '2131', [15, 16], true),
  range('1800', '1800', [15, 16], true),
  range('2200', '2204', [16], true),
  range('62', '62', [16]),
  range('62', '62', [14, 15, 17, 18, 19], true),
  range('81', '81', [16], true),
  range('50', '50', [12, 13, 14, 15, 16, 17, 18, 19], true),
  range('56', '59', [12, 13, 14, 15, 16, 17, 18, 19], true),
  range('60', '69', [12, 13, 14, 15, 16, 17, 18, 19], true),
  range('9792', '9792', [16], true),
];

/** Whether an issuer has numbers that begin and are as long as this one; `rare` needs more evidence; null: none has. */
export function issuerOf(digits: string): 'known' | 'rare' | null {
  for (const { low, high, lengths, isRare } of RANGES) {
    const prefix = digits.slice(0, low.length);
    if (prefix >= low && prefix <= high && lengths.includes(digits.length)) return isRare ? 'rare' : 'known';
  }
  return null;
}

const SHORTEST = 12;
const LONGEST = 19;
const SEPARATORS = new Set([' ', '-', '.', '\n']);
/** Usual groupings of card numbers; the length of the number tells which of them fit. */
const GROUPINGS = new Set([
  '4-4-4-4',
  '4-4-4-4-1',
  '4-4-4-4-2',
  '4-4-4-4-3',
  '4-6-5',
  '4-6-4',
  '4-4-4-3',
  '4-4-4-2',
]);
const LOOSE_GROUPINGS = new Set([
  '8-8',
  '6-10',
  '4-12',
  '12-4',
  '6-6-4',
  '4-4-8',
  '6-13',
  '4-4-5',
  '4-3-3-3',
  '6-7',
  '8-5-6',
  '4-5-6',
  '3-4-4-4-4',
]);
/** Greatest distance of a word against the number: a number grouped like a card is hardly anything else, so it must be close. */
const WINDOW = { grouped: 32, plain: 90 };

/** Words for cards that are no payment cards. */
const OTHER_CARDS =
  'family_card loyalty_card membership_card member_card gift_card library_card rewards_card club_card sim_card ' +
  'fidelity_card discount_card advantage_card store_card student_card health_card phone_card transport_card';

const WORDS = contextWords({
  for:
    'card cards carte cartes cb visa mastercard amex american discover diners jcb maestro unionpay credit debit pan ' +
    'bancaire bancaires bleue cvc cvv cryptogramme',
  against: `${OTHER_NUMBERS} ${OTHER_CARDS}`,
});
const FOLLOWING =
  /^\W{0,6}(?:\(?(?:visa|master ?card|amex|exp(?:ir|\.|:|\s|\d)|cvv|cvc|valid|crypto)|0[1-9]\/\d\d|1[0-2]\/\d\d)/iu;

/** Labels such as `VISA#4111…`, although a number sign mostly means a number of another kind. */
const LABEL = /(?:^|[^\p{L}\p{N}])(?:cc|cb|mc|pan|visa|amex|mastercard|card|carte) ?#$/iu;
/** The label `s/n` of a serial number, whose letters are no words by themselves. */
const SERIAL = /(?:^|[^\p{L}\p{N}])s\/n[\s:#°.]{0,4}$/iu;

/** Whether the check digit of a number is right (ISO/IEC 7812-1 annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at--, double = !double) {
    const digit = digits.charCodeAt(at) - 0x30;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/** Whether digits alone could be a card number: issuer, length, check digit, and not one digit throughout. */
export function isCardNumber(digits: string): boolean {
  return issuerOf(digits) !== null && passesLuhn(digits) && new Set(digits).size > 1;
}

/** A payment card number whose first digit stands at `start`, judged by its form and by the words around it. */
export function cardAt(text: string, start: number): PiiSpan | null {
  const first = text.charCodeAt(start) - 0x30;
  if (first === 0 || first === 7) return null;
  if (!(beginsAt(text, start) || LABEL.test(text.slice(Math.max(0, start - 12), start)))) return null;
  if (isBehindGroups(text, start)) return null;
  const read = readNumber(text, start, LONGEST, SEPARATORS, (digits) => digits >= 3);
  if (!read) return null;
  // The longest number is tried first: a security code or a date may follow a shorter one.
  for (let groups = read.groups.length; groups > 0; groups--) {
    const number = shorten(read, groups);
    if (number.digits.length < SHORTEST) return null;
    if (isCardNumber(number.digits) && isPlausible(text, number)) return { start, end: number.end };
  }
  return null;
}

function isPlausible(text: string, number: WrittenNumber): boolean {
  const { start, end, digits, groups } = number;
  const form = groups.join('-');
  if (groups.length === 1) {
    if (!endsCard(text, end)) return false;
  } else if (
    !hasPlausibleForm(number) ||
    countsUp(number) ||
    isPieceOfLonger(text, number) ||
    isAmongCodes(text, number) ||
    !endsCard(text, end)
  )
    return false;
  const isGrouped = GROUPINGS.has(form);
  const verdict = judge(text, start, WORDS, isGrouped ? WINDOW.grouped : WINDOW.plain);
  if (verdict === 'for') return true;
  if (SERIAL.test(text.slice(Math.max(0, start - 8), start))) return false;
  if (verdict === 'against') return isFollowedBy(text, end, FOLLOWING);
  return (
    isGrouped || (issuerOf(digits) === 'known' && groups.length === 1) || isFollowedBy(text, end, FOLLOWING)
  );
}

/** Whether a card number ends here; an expiry date may follow after a slash: `4111…/0927`. */
const endsCard = (text: string, end: number): boolean =>
  endsAt(text, end) || /^\/(?:0[1-9]|1[0-2])\/?\d\d(?:\d\d)?(?!\d)/.test(text.slice(end, end + 9));

/** Whether the groups count up, as in rows of codes: `5414 5415 5416 5417`. */
function countsUp({ digits, groups }: WrittenNumber): boolean {
  if (groups.length < 4 || groups.some((length) => length !== 4)) return false;
  const numbers = groups.map((_, index) => Number(digits.slice(4 * index, 4 * index + 4)));
  return numbers.every((number, index) => index === 0 || number === numbers[index - 1]! + 1);
}

function hasPlausibleForm({ groups, separators }: WrittenNumber): boolean {
  const form = groups.join('-');
  if (!GROUPINGS.has(form) && !LOOSE_GROUPINGS.has(form)) return false;
  // A line end stands for a space, because lines break at spaces.
  const kinds = new Set(separators.map((kind) => (kind === '\n' ? ' ' : kind)));
  if (kinds.size > 1 && kinds.has('.')) return false;
  return !separators.includes('\n') || (GROUPINGS.has(form) && separators.includes(' '));
}

/** Whether the groups go on behind, as in a row of numbers of four digits. */
function isPieceOfLonger(text: string, { end, separators }: WrittenNumber): boolean {
  const next = gapAfter(text, end);
  if (!next || next.kind === '\n' || !isDigitAt(text, next.end)) return false;
  if (next.kind !== separators.at(-1)) return false;
  const group = /^\d*/.exec(text.slice(next.end, next.end + 6))![0];
  return group.length >= 4 && !/^(?:0[1-9]|1[0-2])(?:2|3)\d$/.test(group);
}

/** Whether groups of four or five hexadecimal digits stand before or behind, as in tables of characters, also `.4300.0020`. */
function isAmongCodes(text: string, { start, end }: WrittenNumber): boolean {
  if (/[.[]\.$/.test(text.slice(Math.max(0, start - 2), start))) return true;
  const before = /(?:^|[\s([])([\dA-F]{4,5})\s{1,2}$/.exec(text.slice(Math.max(0, start - 8), start))?.[1];
  const after = /^\s{1,2}([\dA-F]{4,5})(?![\p{L}\p{N}])/u.exec(text.slice(end, end + 8))?.[1];
  return [before, after].some((code) => code !== undefined && /\d/.test(code) && /[A-F]/.test(code));
}

/** Whether it continues groups before it: four digits, or the letters and digits that an IBAN begins with. */
function isBehindGroups(text: string, start: number): boolean {
  const last = start - 2;
  if (!/[ \u00a0\u2009\u202f-]/.test(text.charAt(start - 1)) || !isDigitAt(text, last)) return false;
  let length = 1;
  while (length < 6 && isDigitAt(text, last - length)) length++;
  return (length >= 4 && isGroupOfFour(text, start)) || isLetterAt(text, last - length);
}

const isGroupOfFour = (text: string, start: number): boolean =>
  /^\d{4}(?!\d)/.test(text.slice(start, start + 5));
