import { searchTokens, WORD } from '../../mails/search/fold-text';
import { findJoinedNumbers } from '../../../platform/text/joined-numbers';
import { dropWrittenDots } from '../../../platform/text/written-umlauts';
import type { TextSpan } from '../../../platform/text/text-span';
import type { MatchField, SoughtTerm } from './sought-terms';

/** A place of a text that a term looks for. */
export interface TextMatch extends TextSpan {
  /** Index of the term. */
  readonly term: number;
}

/** A folded word of a text; `place` is that of the written one. */
interface TextWord extends TextSpan {
  readonly folded: string;
  readonly withoutDots: string | null;
}

/** Matches of a text that are looked for: more say nothing more about it. */
const MAX_MATCHES = 500;
const ASCII = /^[A-Za-z0-9]+$/;

/** The places of a text that terms look for, in their order, without overlaps. */
export function findMatches(text: string, terms: readonly SoughtTerm[], field: MatchField): TextMatch[] {
  const wanted = terms.flatMap((term, index) => (term.fields.includes(field) ? { ...term, index } : []));
  if (wanted.length === 0 || text === '') return [];
  const words = wordsOf(text);
  const matches: TextMatch[] = [];
  for (let at = 0; at < words.length && matches.length < MAX_MATCHES; at++) {
    for (const term of wanted) {
      const last = lastOfMatch(words, at, term);
      if (last !== null) matches.push({ term: term.index, start: words[at]!.start, end: words[last]!.end });
    }
  }
  if (wanted.some(({ number, phoneEnd }) => number !== null || phoneEnd !== null))
    for (const { number, start, end } of findJoinedNumbers(text))
      for (const term of wanted)
        if (isNumber(number.toLowerCase(), term)) matches.push({ term: term.index, start, end });
  return withoutOverlaps(matches);
}

function wordsOf(text: string): TextWord[] {
  const words: TextWord[] = [];
  for (const { 0: written, index } of text.matchAll(WORD)) {
    const place = { start: index, end: index + written.length };
    const folded = ASCII.test(written) ? [written.toLowerCase()] : searchTokens(written);
    for (const word of folded) words.push({ ...place, folded: word, withoutDots: dropWrittenDots(word) });
  }
  return words;
}

/** The index of the last word of a match that begins at a word; null: none begins there. */
function lastOfMatch(words: readonly TextWord[], at: number, term: SoughtTerm): number | null {
  // A phrase of groups of digits is found as the number that they make as well.
  if (isNumber(words[at]!.folded, term)) return at;
  const last = term.words.length - 1;
  if (at + last >= words.length) return null;
  const isMatch = term.words.every((spellings, place) => {
    const { folded, withoutDots } = words[at + place]!;
    return spellings.some((word) => {
      if (term.match === 'beginning' && place === last) return folded.startsWith(word);
      if (term.match === 'end' && place === 0) return folded.endsWith(word);
      return folded === word || withoutDots === word;
    });
  });
  return isMatch ? at + last : null;
}

const isNumber = (word: string, { number, phoneEnd }: SoughtTerm): boolean =>
  word === number || (phoneEnd !== null && /^\d{9,15}$/.test(word) && word.endsWith(phoneEnd));

function withoutOverlaps(matches: readonly TextMatch[]): TextMatch[] {
  const kept: TextMatch[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  return kept;
}
