/** Beginnings that spreadsheet programs take for formulas, in ASCII and full width, and characters they skip before them. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Values with these characters are quoted. */
const SPECIAL = /[",\r\n]/;

/**
 * A record of RFC 4180, with its line end. Texts that a spreadsheet program would run as formulas get an apostrophe before
 * them, which such programs take as the mark of a text (OWASP, CSV Injection).
 * @param values null is an empty field
 */
export function csvRecord(values: readonly (string | number | null)[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

function field(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
