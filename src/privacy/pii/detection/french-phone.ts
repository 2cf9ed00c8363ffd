import { beginsAt, endsAt, isDigitAt, isLetterAt, isWordAt } from '../../../platform/text/characters';
import { contextWords, judge } from './context';
import { gapAfter, readNumber, WrittenNumber } from './number-reader';
import type { PiiSpan } from './pii-match';

/** Numbers of metropolitan France as dialled inside the country, nine digits after the 0 (ARCEP numbering plan). */
const NATIONAL = /^(?:1\d|2[02-57-9]|26[239]|3\d|4[1-9]|5[0-8]|59[046]|6\d|7[3-9]|80|81|82|84|89|9[1-9])/;

/** Country codes of France overseas, with the beginnings and the length of their numbers. */
const OVERSEAS: Readonly<Record<string, { readonly begins: RegExp; readonly length: number }>> = {
  '262': { begins: /^(?:26[239]|639|69[23]|9)/, length: 9 },
  '590': { begins: /^(?:590|69[01]|9)/, length: 9 },
  '594': { begins: /^(?:594|694|9)/, length: 9 },
  '596': { begins: /^(?:596|69[67]|9)/, length: 9 },
  '508': { begins: /^[45]/, length: 6 },
  '687': { begins: /^[2-57-9]/, length: 6 },
  '689': { begins: /^(?:4|8[79])/, length: 8 },
};

/** Number of digits after a country code. */
export const nationalLength = (country: string): number =>
  country === '33' ? 9 : (OVERSEAS[country]?.length ?? 0);

/**
 * Whether the plan has such a number.
 * @param country `33` or a code of France overseas
 * @param digits those after the country code, without the 0 dialled inside the country
 */
export function isInPlan(country: string, digits: string): boolean {
  if (digits.length !== nationalLength(country) || new Set(digits.slice(1)).size === 1) return false;
  return country === '33' ? NATIONAL.test(digits) : (OVERSEAS[country]?.begins.test(digits) ?? false);
}

/** Nine digits that may become valid: ranges are assigned year by year, and people have those numbers before this list does. */
const MAY_COME = /^[1-9]\d{8}$/;

/** Whether digits have the shape of a number, be it in the plan or not. See `isInPlan` for the parameters. */
const hasShape = (country: string, digits: string): boolean =>
  isInPlan(country, digits) ||
  (country === '33' && MAY_COME.test(digits) && new Set(digits.slice(1)).size > 1);

const SEPARATORS = new Set([' ', '-', '.', '/']);
/** Separators of a number that mail has wrapped, with the end of a line. */
const WRAPPED = new Set([' ', '\n']);
const GAP = '[ \\u00a0\\u2002-\\u200f\\u202a-\\u202f\\u2060.\\u2010-\\u2013-]{0,2}';
/** International prefixes: `+33`, `0033`, `(+33)`, `+33 (0)`, `+33 0`, and the same for France overseas. */
const INTERNATIONAL = new RegExp(
  `(?:\\(?(?:\\+|00)${GAP}|\\((?=33\\)))(33|262|590|594|596|508|687|689)\\)?${GAP}(?:\\(0\\)${GAP}|0(?=${GAP}[1-9]))?`,
  'y',
);
const PAIRS = '2-2-2-2-2';
const NATIONAL_GROUPS = new Set([
  '10',
  PAIRS,
  '4-2-2-2',
  '2-2-3-3',
  '4-3-3',
  '1-3-3-3',
  '2-4-4',
  '2-8',
  '4-6',
  '1-3-2-2-2',
  '1-1-2-2-2-2',
  '3-3-2-2',
]);
const WINDOW = { grouped: 24, plain: 60 };
const MONEY = /^\s?(?:€|\$|£|eur(?:os?)?\b|usd\b|k€|%)/i;

const WORDS = contextWords({
  for:
    'tel tels telephone telephones tph phone phones mobile mobiles portable portables fax telecopie gsm call calls cell ' +
    'appel appeler appelez appelle joindre joignable contact contacter contactez whatsapp sms texto standard hotline ' +
    'ring dial composer composez ligne line reach direct vert m t p f service_client service_clients customer_service relation_client tel_client telephone_client mobile_client portable_client',
  against:
    'order orders commande commandes cmd cmde tracking suivi colis parcel shipment expedition bordereau invoice invoices ' +
    'facture factures devis ref refs reference references siren siret rcs tva imei isbn ean gtin upc sku ticket tickets ' +
    'billet reservation reservations booking dossier dossiers transaction transactions serial serie sn barcode barres ' +
    'timestamp contrat contrats contract policy adherent client clients customer abonne fidelite loyalty compte account lot ' +
    'batch produit article part meter compteur pdl pce mandat loto lottery euromillions tirage gagnant gagnants winning ' +
    'draw badge police assurance immatriculation allocataire abonnement permis etudiant confirmation identifiant identifier id uuid matricule hex buffer bytes octets commit merge sha revert cherry license licence version build mac iban rib gps latitude longitude montant amount',
});

/**
 * A French telephone number whose first digit stands at `start`.
 * @param ends of earlier findings: a number directly after one is not part of it
 */
export function frenchPhoneAt(text: string, start: number, ends: ReadonlySet<number>): PiiSpan | null {
  return (
    internationalAt(text, start) ?? nationalAt(text, start, ends.has(start - 1)) ?? wrappedAt(text, start)
  );
}

function internationalAt(text: string, digit: number): PiiSpan | null {
  let start = digit;
  if (text.charAt(start - 1) === '+') start--;
  else if (!text.startsWith('00', digit) && !text.startsWith('(33)', digit - 1)) return null;
  if (text.charAt(start - 1) === '(') start--;
  INTERNATIONAL.lastIndex = start;
  const prefix = INTERNATIONAL.exec(text);
  if (!prefix || isWordAt(text, start - 1) || !beginsAt(text, start)) return null;
  const country = prefix[1]!;
  const number = readNumber(text, INTERNATIONAL.lastIndex, nationalLength(country), SEPARATORS);
  if (!number || !hasShape(country, number.digits) || !hasOneSeparator(number)) return null;
  // The plus sign and the country identify a telephone number, two zeros do not.
  const isAnnounced = text.charAt(digit - 1) === '+' || number.groups.length > 1;
  if (!isAnnounced && !isInPlan(country, number.digits)) return null;
  return isWhole(text, number) ? { start, end: number.end } : null;
}

function nationalAt(text: string, start: number, isBehindAnother: boolean): PiiSpan | null {
  if (text.charAt(start) !== '0') return null;
  if (!(beginsAt(text, start) || isSecond(text, start) || isBehindLabel(text, start))) return null;
  const number = readNumber(text, start, 10, SEPARATORS);
  if (!number || number.digits.length !== 10 || !hasShape('33', number.digits.slice(1))) return null;
  if (!NATIONAL_GROUPS.has(number.groups.join('-')) || !hasOneSeparator(number)) return null;
  if (!isWhole(text, number) || (!isBehindAnother && isContinuation(text, number))) return null;
  if (isProgression(number)) return null;
  const isGrouped = number.groups.length > 1;
  const verdict = judge(text, start, WORDS, isGrouped ? WINDOW.grouped : WINDOW.plain);
  if (verdict === 'silent' && !isInPlan('33', number.digits.slice(1)) && !isInPairs(number)) return null;
  // The ten digits in their order are an alphabet rather than a number.
  if (verdict === 'silent' && !isGrouped && number.digits === '0123456789') return null;
  // This is a netmask, or part of a drawing.
  if (verdict !== 'for' && number.groups.join('-') === '1-3-3-3' && number.separators[1] === '.') return null;
  // Numbers in Rome and in changelogs are grouped like this.
  if (verdict === 'silent' && number.groups.join('-') === '2-4-4') return null;
  if (!isGrouped && text.charAt(start - 1) === '`') return null;
  return verdict === 'against' ? null : { start, end: number.end };
}

/** A number that is broken over two lines: only in pairs, and only where words announce a number. */
function wrappedAt(text: string, start: number): PiiSpan | null {
  if (text.charAt(start) !== '0' || !beginsAt(text, start)) return null;
  const number = readNumber(text, start, 10, WRAPPED);
  if (number?.groups.join('-') !== PAIRS || !hasShape('33', number.digits.slice(1))) return null;
  const breaks = number.separators.filter((kind) => kind === '\n').length;
  if (breaks !== 1 || !isWhole(text, number) || isContinuation(text, number)) return null;
  return judge(text, start, WORDS, WINDOW.grouped) === 'for' ? { start, end: number.end } : null;
}

/** Whether it is the second of two numbers: `01 23 45 67 89/06 12 …`. */
const isSecond = (text: string, start: number): boolean =>
  text.charAt(start - 1) === '/' &&
  /(?:^|[^\d])(?:\d\d[ .-]?){4}\d\d\/$/.test(text.slice(Math.max(0, start - 18), start));

/** Whether a label touches the number: `GSM0612345678`. */
const isBehindLabel = (text: string, start: number): boolean =>
  /(?:^|[^\p{L}\p{N}])(?:t[ée]l|gsm|mob|fax|port)$/iu.test(text.slice(Math.max(0, start - 5), start));

/** Whether it is written in pairs, as telephone numbers are; pairs that rise from one to the next are a lottery draw. */
function isInPairs({ digits, groups }: WrittenNumber): boolean {
  if (groups.join('-') !== PAIRS) return false;
  const pairs = pairsOf(digits);
  return pairs.some((pair, at) => at > 0 && pair <= pairs[at - 1]!);
}

const pairsOf = (digits: string): number[] => [0, 2, 4, 6, 8].map((at) => Number(digits.slice(at, at + 2)));

/** Whether the pairs rise by the same step, as in rows of numbers: `01 02 03 04 05`, `05 10 15 20 25`. */
function isProgression({ digits, groups }: WrittenNumber): boolean {
  if (groups.join('-') !== PAIRS) return false;
  const pairs = pairsOf(digits);
  const step = pairs[1]! - pairs[0]!;
  return pairs.every((pair, at) => at === 0 || pair - pairs[at - 1]! === step);
}

/** Whether it has one separator throughout, except after the first group: `06 12.34.56.78`. */
function hasOneSeparator({ separators }: WrittenNumber): boolean {
  return new Set(separators.slice(1)).size <= 1;
}

function isWhole(text: string, { end, digits, groups, separators }: WrittenNumber): boolean {
  if (digits === '') return false;
  const next = text.charAt(end);
  if (next === '/' && /^\/ ?(?:0[1-9]|\+)/.test(text.slice(end, end + 4))) return true;
  if (next === ',' && /^,\d{1,2}(?!\d)/.test(text.slice(end, end + 4))) return false;
  const hasExtension =
    groups.length > 1 && separators.at(-1) !== '-' && /^-\p{L}/u.test(text.slice(end, end + 3));
  if (!(endsAt(text, end) || hasExtension) || isLetterAt(text, end) || MONEY.test(text.slice(end, end + 6)))
    return false;
  const gap = gapAfter(text, end);
  if (!gap || groups.length === 1 || gap.kind !== separators.at(-1)) return true;
  // With one more group of the same kind it is a row of numbers, unless that group begins the next telephone number.
  const group = /^\d*/.exec(text.slice(gap.end, gap.end + 6))![0];
  if (group.length !== groups.at(-1)) return true;
  // `24h/24`, `7 days` and the like are hours, not more of the number.
  if (/^(?: ?h(?![a-z])|\/\d|h\d)/i.test(text.slice(gap.end + group.length, gap.end + group.length + 4)))
    return true;
  return /^0[1-9](?:[ .-]?\d\d){4}(?!\d)/.test(text.slice(gap.end, gap.end + 15));
}

/** Whether groups of the same kind stand before: a row of numbers, of which this is a piece. */
function isContinuation(text: string, { start, end, groups, separators }: WrittenNumber): boolean {
  const separator = text.charAt(start - 1);
  if (groups.length === 1) return /\d \d{1,6} $/.test(text.slice(Math.max(0, start - 9), start));
  if (!/[ \u00a0\u2009\u202f]/.test(separator) || separators[0] !== ' ') return false;
  let first = start - 1;
  while (first > start - 6 && isDigitAt(text, first - 1)) first--;
  const length = start - 1 - first;
  if (length === 0 || length >= 5) return false;
  // A year or a street number may stand before groups of two, not before the middle of a row of four.
  if (length === 4) return groups[0] === 4 || /^[ \u00a0]\d/.test(text.slice(end, end + 2));
  if (/[/:.,h'’-]/.test(text.charAt(first - 1))) return false;
  // Two telephone numbers may stand one after the other.
  return !/(?:^|[^\d])0[1-9](?:[ .\u00a0-]?\d\d){4} $/.test(
    text.slice(Math.max(0, start - 17), start).replace(/[\u00a0\u2009\u202f]/g, ' '),
  );
}
