import type { Operation } from './operations';

/** `searchId` → `search`, `apiKeyId` → `api-key` */
const wordsOf = (parameter: string): string =>
  parameter.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The problem with which an operation refuses another user's resource, by the name of the parameter or field that names it:
 * 403 for an account, else the documented 404 that ends with the name, e.g. `saved-search-not-found` for `searchId`.
 * The code is undefined where none or several are documented.
 */
export function problemOf(
  operation: Operation,
  parameter: string,
): { status: number; code: string | undefined } {
  if (parameter === 'accountId') return { status: 403, code: 'account-not-owned' };
  const end = `${wordsOf(parameter)}-not-found`;
  const codes = operation.problems(404).filter((code) => code === end || code.endsWith(`-${end}`));
  return { status: 404, code: codes.length === 1 ? codes[0] : undefined };
}
