import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

/** A text that the router of earlier versions had put into quotes, because it begins with one: `"\"two words\""`. */
const QUOTED_TWICE = /^"\\"/;

/**
 * Reads the part of the address after `?`. Texts stay as they are written: `?q="two words"` searches for a phrase. The router
 * itself would read each as JSON, and drop the quotes.
 */
export const parseSearch = parseSearchWith((value) =>
  QUOTED_TWICE.test(value) ? (JSON.parse(value) as unknown) : value,
);

/** Writes it: texts as they are, so that what is read from it is the same again. */
export const stringifySearch = stringifySearchWith(JSON.stringify);
