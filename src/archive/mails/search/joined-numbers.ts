import { findIbans } from '../../../platform/text/iban';

/**
 * A number that is written in groups of digits: `+33 6 12 34 56 78`, `71450/36214`, `(030) 901 820`. It is read in
 * pieces of 20 groups, because a column of a million numbers would exhaust the stack of the expression.
 */
const GROUPED = /(?<![\p{L}\p{N}])\(?\d{1,19}(?:[ \u00a0\u202f./()-]{1,2}\d{1,19}){1,20}(?![\p{L}\p{N}])/gu;
const SPACE = /[ \u00a0\u202f]+/;
const NO_DIGITS = /\D+/g;
/** Shorter ones are found by their groups well enough, and are often no number at all: a date, an hour, a share. */
const MIN_DIGITS = 7;
/** Longer ones are columns of a table. The longest numbers that people group are those of cards. */
const MAX_DIGITS = 19;

/**
 * The numbers of a text that are written in groups, without their separators: `DE89 3704 0044 0532 0130 00` gives
 * `DE89370400440532013000`. A number is found in one form though the text has it in the other.
 */
export function joinedNumbers(text: string): string[] {
  const joined = new Set<string>();
  for (const [run] of text.matchAll(GROUPED)) {
    addNumber(joined, run);
    // Beside a number may stand another: `2024-03-17 71450/36214`.
    const pieces = run.split(SPACE);
    if (pieces.length > 1) for (const piece of pieces) addNumber(joined, piece);
  }
  for (const { start, end } of findIbans(text)) {
    const iban = text.slice(start, end);
    const characters = iban.replace(/[^A-Za-z0-9]+/g, '');
    if (characters.length < iban.length) joined.add(characters);
  }
  return [...joined];
}

function addNumber(joined: Set<string>, written: string): void {
  const digits = written.replace(NO_DIGITS, '');
  if (digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && digits !== written) joined.add(digits);
}
