import type { TextSpan } from '../../../platform/text/text-span';

/** Types of personal data, in the order in which overlapping finds are preferred. */
export const PII_TYPES = ['iban', 'credit_card', 'french_ssn', 'phone_fr', 'password_plain'] as const;

export type PiiType = (typeof PII_TYPES)[number];

/** The types in the order in which they are listed. */
export const LISTED_TYPES: readonly PiiType[] = [
  'credit_card',
  'iban',
  'french_ssn',
  'password_plain',
  'phone_fr',
];

/** A span of a text that holds personal data. */
export type PiiSpan = TextSpan;

export interface PiiMatch extends PiiSpan {
  readonly type: PiiType;
  /** The value in its written form, which never leaves the thread that found it. */
  readonly value: string;
  /** The value with its secret parts replaced by asterisks; see `maskPii`. */
  readonly masked: string;
}

const VISIBLE_CARD_DIGITS = 4;
const VISIBLE_IBAN_CHARACTERS = 4;
const PASSWORD = '********';

/**
 * The one form in which a value found is stored and shown: a card keeps its last four digits and its separators, an
 * IBAN its country and check digits, a social security or phone number only separators, a password no character.
 */
export function maskPii(type: PiiType, value: string): string {
  if (type === 'password_plain') return PASSWORD;
  const line = value.replace(/[\s>]+/g, ' ');
  if (type === 'credit_card') return maskBefore(line, count(line) - VISIBLE_CARD_DIGITS);
  if (type === 'iban') return maskAfter(line, VISIBLE_IBAN_CHARACTERS);
  return maskAfter(line, 0);
}

const SECRET = /[\p{L}\p{N}]/gu;

const count = (text: string): number => text.match(SECRET)?.length ?? 0;

function maskBefore(text: string, end: number): string {
  let position = 0;
  return text.replace(SECRET, (character) => (position++ < end ? '*' : character));
}

function maskAfter(text: string, start: number): string {
  let position = 0;
  return text.replace(SECRET, (character) => (position++ < start ? character : '*'));
}
