/** A column folded for `wordBeginning`, as SQL: lower case, without accents. */
export const foldedSql = (column: string): string =>
  `regexp_replace(normalize(lower(${column}), NFKD), '[\\u0300-\\u036f]', '', 'g')`;

/** A regular expression of PostgreSQL that finds a text where a word begins, in what `foldedSql` gives. */
export function wordBeginning(text: string): string {
  const folded = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '');
  return `(^|[^[:alnum:]])${folded.replace(/[^\p{L}\p{N}\s]/gu, '\\$&')}`;
}
