import type { TextPlace } from '../../../platform/documents/document-text';
import type { TextSpan } from '../../../platform/text/text-span';
import type { MatchField, SoughtTerm } from './sought-terms';
import { findMatches, type TextMatch } from './text-matches';

/** The place of a text in the files of a message. */
export interface FilePlace extends TextPlace {
  readonly filename: string;
}

/** A part of a text, with the places that match. */
export interface Excerpt {
  /** One line; `…` at an end means that the text goes on. */
  readonly text: string;
  readonly highlights: readonly TextSpan[];
  /** The place of text that is in a file; undefined for other text. */
  readonly file?: FilePlace;
}

/** Characters of an excerpt. */
const LENGTH = 240;
/** Characters before the first match that the excerpt shows. */
const LEAD = 60;
const ELLIPSIS = '…';

/** The part of a text in which most of the terms stand together; null when none does. */
export function excerptOf(text: string, terms: readonly SoughtTerm[], field: MatchField): Excerpt | null {
  const matches = findMatches(text, terms, field);
  if (matches.length === 0) return null;
  const best = bestStart(matches);
  const start = wordStart(text, Math.max(0, best - LEAD));
  const end = wordEnd(text, Math.min(text.length, start + LENGTH));
  const part = text.slice(start, end).replace(/\s+/g, ' ').trim();
  const shown = `${start > 0 ? ELLIPSIS : ''}${part}${end < text.length ? ELLIPSIS : ''}`;
  return { text: shown, highlights: findMatches(shown, terms, field).map(toSpan) };
}

/** A short text, whole, with the places that match; null when none does. */
export function highlighted(text: string, terms: readonly SoughtTerm[], field: MatchField): Excerpt | null {
  const highlights = findMatches(text, terms, field).map(toSpan);
  return highlights.length === 0 ? null : { text, highlights };
}

const toSpan = ({ start, end }: TextMatch): TextSpan => ({ start, end });

/** The match from which on an excerpt has most different terms. */
function bestStart(matches: readonly TextMatch[]): number {
  let best = matches[0]!.start;
  let most = 0;
  for (const [at, { start }] of matches.entries()) {
    const within = new Set<number>();
    for (let next = at; next < matches.length; next++) {
      if (matches[next]!.end > start + LENGTH - LEAD) break;
      within.add(matches[next]!.term);
    }
    if (within.size > most) [best, most] = [start, within.size];
  }
  return best;
}

/** Longest word that is kept whole at the ends of an excerpt. */
const MAX_WORD = 30;

function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + MAX_WORD).search(/\s/);
  return space < 0 ? at : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  if (at === text.length) return at;
  const before = text.slice(at - MAX_WORD, at);
  const space = /\s\S*$/.exec(before);
  return space === null ? at : at - before.length + space.index;
}
