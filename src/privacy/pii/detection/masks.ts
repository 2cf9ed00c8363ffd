import type { PiiType } from './pii-match';

const VISIBLE_CARD_DIGITS = 4;
const VISIBLE_IBAN_CHARACTERS = 4;
const PASSWORD = '********';

/**
 * The one form in which a value found is stored and shown: a card keeps its last four digits and its separators, an
 * IBAN its country and check digits, a social security or phone number nothing but separators, a password nothing.
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
