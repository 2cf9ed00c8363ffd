import { kindsOf, isPassword } from './password-value';
import type { PiiSpan } from './pii-match';

/** Most rows of a table that are read, and most UTF-16 units of one line. */
const MAX_ROWS = 30;
const MAX_LINE = 300;
/** Separators of cells; commas are not among them, as sentences have them too. */
const SEPARATORS = ['\t', '|', ';'];
/** The line below the names of columns, e.g. `|---|---|`. */
const RULE = /^[\s|:+-]+$/;

/**
 * Passwords in the rows below a table's line of names: `Account;Password`, then `root;4Qidgxwy3GX`. Cells are
 * separated by tabs, bars or semicolons; rows have as many of them as the line of names.
 * @param start offset of the name of the column @param end offset after it
 * @returns an empty list when the name is not alone in its cell, or no line like it follows
 */
export function passwordsBelow(text: string, start: number, end: number): PiiSpan[] {
  const line = lineAround(text, start);
  if (!line) return [];
  const header = text.slice(line.start, line.end);
  const separator = SEPARATORS.find((one) => header.includes(one));
  if (separator === undefined) return [];
  const cells = header.split(separator);
  const column = text.slice(line.start, start).split(separator).length - 1;
  if (cells[column]!.trim().replace(/^["'*]+|["'*]+$/g, '') !== text.slice(start, end)) return [];
  const found: PiiSpan[] = [];
  let at = line.end + 1;
  for (let rows = 0; rows < MAX_ROWS && at < text.length; rows++) {
    const next = text.slice(at, at + MAX_LINE).indexOf('\n');
    const row = text.slice(at, next < 0 ? at + MAX_LINE : at + next);
    const values = row.split(separator);
    if (values.length !== cells.length) break;
    const value = RULE.test(row) ? null : cellValue(values[column]!);
    if (value !== null) {
      const from = at + values.slice(0, column).reduce((sum, cell) => sum + cell.length + 1, 0);
      const begin = from + values[column]!.indexOf(value);
      found.push({ start: begin, end: begin + value.length });
    }
    if (next < 0) break;
    at += next + 1;
  }
  return found;
}

function lineAround(text: string, at: number): PiiSpan | null {
  const before = text.slice(Math.max(0, at - MAX_LINE), at);
  const after = text.slice(at, at + MAX_LINE);
  const end = after.indexOf('\n');
  if (end < 0 || (before.length === MAX_LINE && !before.includes('\n'))) return null;
  return { start: at - (before.length - 1 - before.lastIndexOf('\n')), end: at + end };
}

/** The value of a cell if it looks like a password, else null: a column of a table may be about anything. */
function cellValue(cell: string): string | null {
  const value = cell.trim().replace(/^["'`*]+|["'`]+$/g, '');
  const looksLikeOne =
    /^\S{6,64}$/.test(value) && /\d/.test(value) && /\p{L}/u.test(value) && kindsOf(value) >= 2;
  const context = { rest: '', isAssigned: true, isQuoted: false, hasLogin: false, isCode: false };
  return looksLikeOne && isPassword(value, context) ? value : null;
}
