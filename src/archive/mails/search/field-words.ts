import type { WordQuery } from './word-query';

/** Fields whose words stand in the index once more, each after the sign of its field: other mails have the same words elsewhere. */
export const WORD_FIELDS = ['to', 'cc', 'bcc', 'replyto', 'deliveredto', 'list', 'filename'] as const;
export type WordField = (typeof WORD_FIELDS)[number];

/** No word begins with a colon, so that no beginning of a word finds one of these. */
const SIGNS: Readonly<Record<WordField, string>> = {
  to: ':t:',
  cc: ':c:',
  bcc: ':b:',
  replyto: ':r:',
  deliveredto: ':d:',
  list: ':l:',
  filename: ':f:',
};

/** The length of each sign, and its first character. */
export const SIGN_BYTES = 3;
export const SIGN_CODE = 0x3a;

/** A sign that stands in the index alone, of each mail whose fields do: of others it is not known what their fields have. */
export const FIELDS_KNOWN = ':k';

export const signOf = (field: WordField): string => SIGNS[field];

/** Fields that a weight of the index tells from others. */
const WEIGHTS = { subject: 'A', from: 'B', body: 'D' } as const;
type WeightedField = keyof typeof WEIGHTS;

const LEXEME = /'([^']*)'(:\*)?/g;

/** The same query, of words in a field. */
export function withinField(query: WordQuery, field: WordField | WeightedField): WordQuery {
  if ('all' in query) return { all: query.all.map((part) => withinField(part, field)) };
  if ('any' in query) return { any: query.any.map((part) => withinField(part, field)) };
  if ('not' in query) return { not: withinField(query.not, field) };
  const change =
    field in WEIGHTS
      ? (_: string, word: string, star = ':'): string => `'${word}'${star}${WEIGHTS[field as WeightedField]}`
      : (_: string, word: string, star = ''): string => `'${SIGNS[field as WordField]}${word}'${star}`;
  return { word: query.word.replace(LEXEME, change) };
}
