import { isDigitAt, isLetterAt } from './characters';
import type { TextSpan } from './text-span';

/**
 * The national part of the IBAN by country (SWIFT IBAN registry): `n` digits, `a` letters, `c` either; `10n11c2n` is ten
 * digits, eleven letters or digits and two digits.
 */
const STRUCTURES =
  'AD 8n12c AE 19n AL 8n16c AT 16n AZ 4a20c BA 16n BE 12n BG 4a6n8c BH 4a14c BI 23n BR 23n1a1c BY 4c4n16c CH 5n12c ' +
  'CR 18n CY 8n16c CZ 20n DE 18n DJ 23n DK 14n DO 4c20n EE 16n EG 25n ES 20n FI 14n FK 2a12n FO 14n FR 10n11c2n ' +
  'GB 4a14n GE 2a16n GI 4a15c GL 14n GR 7n16c GT 24c HN 4a20n HR 17n HU 24n IE 4a14n IL 19n IQ 4a15n IS 22n ' +
  'IT 1a10n12c JO 4a4n18c KW 4a22c KZ 3n13c LB 4n20c LC 4a24c LI 5n12c LT 16n LU 3n13c LV 4a13c LY 21n ' +
  'MC 10n11c2n MD 20c ME 18n MK 3n10c2n MN 16n MR 23n MT 4a5n18c MU 4a19n3a NI 4a20n NL 4a10n NO 11n OM 3n16c ' +
  'PK 4a16c PL 24n PS 4a21c PT 21n QA 4a21c RO 4a16c RS 18n RU 14n15c SA 2n18c SC 4a20n3a SD 14n SE 20n SI 15n ' +
  'SK 20n SM 1a10n12c SO 19n ST 21n SV 4a20n TL 19n TN 20n TR 6n16c UA 6n19c VA 18n VG 4a16n XK 16n YE 4a4n18c';

export interface IbanCountry {
  /** Length of the whole IBAN in characters. */
  readonly length: number;
  /** Pattern of the text after the check digits, in upper case. */
  readonly bban: RegExp;
}

const CLASSES: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[0-9A-Z]' };

export const IBAN_COUNTRIES: ReadonlyMap<string, IbanCountry> = new Map(
  [...STRUCTURES.matchAll(/([A-Z]{2}) ((?:\d+[nac])+)/g)].map(([, country = '', structure = '']) => {
    const pieces = [...structure.matchAll(/(\d+)([nac])/g)];
    const length = pieces.reduce((sum, [, count]) => sum + Number(count), 4);
    const pattern = pieces.map(([, count, kind]) => `${CLASSES[kind!]!}{${count}}`).join('');
    return [country, { length, bban: new RegExp(`^${pattern}$`) }];
  }),
);

const BLANK = '[ \\u00a0\\u2002-\\u200a\\u202f-]';
/** Beginning of an IBAN: a country and two check digits. */
const BEGINNING = new RegExp(`[A-Za-z]{2}${BLANK}?\\d${BLANK}?\\d`, 'g');
/** Separators between two characters: spaces and dashes, and the end of a line with the marks of a quoted one. */
const BETWEEN = /[\s>\u00ad\u2010-\u2013\u200b-\u200f\u202a-\u202e\u2060\ufeff.-]/;
const MAX_BETWEEN = 6;
const CHARACTER = /[A-Za-z0-9]/;
/** Words people write without a space before the number. */
const GLUED_BEFORE = /(?:iban|rib|compte|account|bic)$/i;

/** Whether characters without separators, in upper case, are an IBAN: country, form, check digits (ISO 13616-1). */
export function isIban(iban: string): boolean {
  const country = IBAN_COUNTRIES.get(iban.slice(0, 2));
  const check = Number(iban.slice(2, 4));
  if (!country || iban.length !== country.length || !(check >= 2 && check <= 98)) return false;
  const bban = iban.slice(4);
  return country.bban.test(bban) && new Set(bban).size > 1 && mod97(`${bban}${iban.slice(0, 4)}`) === 1;
}

/** @param text digits and upper-case letters, A standing for 10 and Z for 35 */
function mod97(text: string): number {
  let rest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    rest = code < 0x41 ? (rest * 10 + code - 0x30) % 97 : (rest * 100 + code - 0x37) % 97;
  }
  return rest;
}

/** All IBANs of a text. At most 34 characters are read at each possible beginning. */
export function findIbans(text: string): TextSpan[] {
  const found: TextSpan[] = [];
  BEGINNING.lastIndex = 0;
  for (let match = BEGINNING.exec(text); match; match = BEGINNING.exec(text)) {
    const span = ibanAt(text, match.index);
    if (span) found.push(span);
    // The letters of the next one cannot lie before the digits of this one.
    BEGINNING.lastIndex = span?.end ?? match.index + 2;
  }
  return found;
}

function ibanAt(text: string, start: number): TextSpan | null {
  const country = IBAN_COUNTRIES.get(text.slice(start, start + 2).toUpperCase());
  if (!country || !mayBegin(text, start)) return null;
  let iban = '';
  let end = start;
  while (iban.length < country.length) {
    let at = end;
    while (at - end < MAX_BETWEEN && BETWEEN.test(text.charAt(at))) at++;
    const character = text.charAt(at);
    if (!CHARACTER.test(character)) return null;
    iban += character.toUpperCase();
    end = at + 1;
  }
  // A word may be glued to the IBAN; with more digits it is no IBAN.
  if (isDigitAt(text, end) || !isIban(iban)) return null;
  return { start, end };
}

function mayBegin(text: string, start: number): boolean {
  if (isDigitAt(text, start - 1)) return false;
  return !isLetterAt(text, start - 1) || GLUED_BEFORE.test(text.slice(Math.max(0, start - 8), start));
}
