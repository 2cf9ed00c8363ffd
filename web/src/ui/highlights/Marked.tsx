import { Mark } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { markedParts } from './marked-parts';

interface MarkedProps {
  readonly text: string;
  readonly highlights: readonly Schemas['HighlightResponse'][];
}

/** A text whose words that match are marked. */
export function Marked({ text, highlights }: MarkedProps): ReactNode {
  return markedParts(text, highlights).map((part, at) =>
    // The parts of a text do not change their places.
    part.isMarked ? <Mark key={at}>{part.text}</Mark> : <span key={at}>{part.text}</span>,
  );
}
