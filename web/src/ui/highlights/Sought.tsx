import { createContext, use, useMemo, type ReactNode } from 'react';
import { findWords } from './find-words';
import { Marked } from './Marked';
import { soughtWords, type SoughtPlace, type SoughtTerm } from './sought-words';

const SoughtContext = createContext<readonly SoughtTerm[]>([]);

interface SoughtProps {
  /** The search by which the message was found. */
  readonly q: string;
  readonly children: ReactNode;
}

/** Marks in the messages within it what a search looks for. */
export function Sought({ q, children }: SoughtProps): ReactNode {
  const terms = useMemo(() => soughtWords(q), [q]);
  return <SoughtContext value={terms}>{children}</SoughtContext>;
}

export const useSought = (): readonly SoughtTerm[] => use(SoughtContext);

interface SoughtTextProps {
  readonly text: string;
  readonly place: SoughtPlace;
}

/** A text of a message, with the words marked that the search looks for. */
export function SoughtText({ text, place }: SoughtTextProps): ReactNode {
  const terms = useSought();
  const places = useMemo(() => findWords(text, terms, place), [text, terms, place]);
  return places.length === 0 ? text : <Marked text={text} highlights={places} />;
}
