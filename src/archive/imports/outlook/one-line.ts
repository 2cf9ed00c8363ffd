const SUBJECT_PREFIX = '\u0001';

/**
 * The subject as people see it. PR_SUBJECT of a data file begins with U+0001 and the length of its prefix (MS-PST 2.5.3.1.1.1).
 */
export const oneLine = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .replace(/^\p{Cc}./su, (prefix) => (prefix.startsWith(SUBJECT_PREFIX) ? '' : prefix))
        .replace(/[\p{Cc}]+/gu, ' ')
        .trim();
