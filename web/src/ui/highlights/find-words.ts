import { formsOf, WORD, type SoughtPlace, type SoughtTerm } from './sought-words';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** Places that are marked in one text: more say nothing more about it. */
const MOST = 500;

/** The places of a text that a search looks for, in their order and without overlaps. */
export function findWords(text: string, terms: readonly SoughtTerm[], place: SoughtPlace): readonly Place[] {
  const wanted = terms.filter(({ places }) => places.includes(place));
  if (wanted.length === 0) return [];
  const words = Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    forms: formsOf(word),
    start: index,
    end: index + word.length,
  }));
  const found: Place[] = [];
  for (const [at, { start }] of words.entries()) {
    for (const term of wanted) {
      const last = at + term.words.length - 1;
      if (term.words.every((forms, index) => isMatch(words[at + index]?.forms, forms, term, index)))
        found.push({ start, end: words[last]!.end });
    }
    if (found.length >= MOST) break;
  }
  for (const { number } of wanted)
    if (number !== null)
      for (const { 0: written, index } of text.matchAll(number))
        found.push({ start: index, end: index + written.length });
  return withoutOverlaps(found);
}

function isMatch(
  written: readonly string[] | undefined,
  wanted: readonly string[],
  { match, words }: SoughtTerm,
  index: number,
): boolean {
  if (written === undefined) return false;
  const isLast = index === words.length - 1;
  return wanted.some((form) =>
    written.some((word) => {
      if (match === 'beginning' && isLast) return word.startsWith(form);
      if (match === 'end' && index === 0) return word.endsWith(form);
      return word === form;
    }),
  );
}

function withoutOverlaps(places: readonly Place[]): readonly Place[] {
  const kept: Place[] = [];
  for (const place of places.toSorted((one, other) => one.start - other.start || other.end - one.end))
    if (place.start >= (kept.at(-1)?.end ?? 0)) kept.push(place);
  return kept;
}
