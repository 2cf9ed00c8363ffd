import { findIbans } from './iban';
import type { TextSpan } from './text-span';

/**
 * A number that is written in groups of digits: `+33 6 12 34 56 78`, `71450/36214`, `(030) 901 820`. It is read in
 * pieces of 20 groups, because a column of a million numbers would exhaust the stack of the expression.
 */
const GROUPED = /(?<![\p{L}\p{N}])\(?\d{1,19}(?:[ \u00a0\u202f./()-]{1,2}\d{1,19}){1,20}(?![\p{L}\p{N}])/gu;
const SPACE = /[ \u00a0\u202f]/;
const PIECE = /[^ \u00a0\u202f]+/g;
const NO_DIGITS = /\D+/g;
/** Shorter ones are found by their groups well enough, and are often no number at all: a date, an hour, a share. */
const MIN_DIGITS = 7;
/** Longer ones are columns of a table. The longest numbers that people group are those of cards. */
const MAX_DIGITS = 19;

/** A number in groups, and its place. */
export interface JoinedNumber extends TextSpan {
  /** Its letters and digits. */
  readonly number: string;
}

/**
 * The numbers of a text that are written in groups, without their separators: `DE89 3704 0044 0532 0130 00` gives
 * `DE89370400440532013000`. A number is found in one form though the text has it in the other.
 */
export function joinedNumbers(text: string): string[] {
  return [...new Set(findJoinedNumbers(text).map(({ number }) => number))];
}

/** The number that a text in groups is as a whole; null when it is none. */
export function wholeNumber(text: string): string | null {
  const characters = text.replace(/[^\p{L}\p{N}]/gu, '').length;
  return joinedNumbers(text).find(({ length }) => length === characters) ?? null;
}

/** The numbers of a text that are written in groups, with their places. */
export function findJoinedNumbers(text: string): JoinedNumber[] {
  const found: JoinedNumber[] = [];
  for (const { 0: run, index } of text.matchAll(GROUPED)) {
    addNumber(found, run, index);
    // Beside a number may stand another: `2024-03-17 71450/36214`.
    if (SPACE.test(run))
      for (const piece of run.matchAll(PIECE)) addNumber(found, piece[0], index + piece.index);
  }
  for (const { start, end } of findIbans(text)) {
    const number = text.slice(start, end).replace(/[^A-Za-z0-9]+/g, '');
    if (number.length < end - start) found.push({ start, end, number });
  }
  return found;
}

function addNumber(found: JoinedNumber[], written: string, start: number): void {
  const number = written.replace(NO_DIGITS, '');
  if (number.length < MIN_DIGITS || number.length > MAX_DIGITS || number === written) return;
  found.push({ start, end: start + written.length, number });
}
