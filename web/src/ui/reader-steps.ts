import { useRef, type RefObject } from 'react';

export type Step = 'previous' | 'next';

/** The way from the message that is read to those before and after it in the list. */
export interface ReaderSteps {
  readonly of: 'message' | 'conversation';
  /** From 0. */
  readonly index: number;
  /** Messages that can be stepped to. */
  readonly count: number;
  /** Whether these are all of the list. */
  readonly isComplete: boolean;
  readonly take: (step: Step) => void;
  /** The step that led to the message: its button keeps the focus, although the reader is a new one. */
  readonly taken: RefObject<Step | null>;
}

interface Place extends Pick<ReaderSteps, 'of' | 'count' | 'isComplete'> {
  /** -1: the message is not in the list, as far as it is loaded. */
  readonly index: number;
  readonly onOpen: (index: number) => void;
}

/** Steps from message to message, for the parent of a reader; undefined when the message's place is not known. */
export function useReaderSteps({ onOpen, ...place }: Place): ReaderSteps | undefined {
  const taken = useRef<Step | null>(null);
  if (place.index === -1) return undefined;
  return {
    ...place,
    taken,
    take: (step) => {
      const index = indexAfter(place, step);
      if (index === null) return;
      taken.current = step;
      onOpen(index);
    },
  };
}

/** The index that a step leads to; null when there is none. */
export function indexAfter(
  { index, count }: Pick<ReaderSteps, 'index' | 'count'>,
  step: Step,
): number | null {
  const after = index + (step === 'next' ? 1 : -1);
  return after >= 0 && after < count ? after : null;
}
