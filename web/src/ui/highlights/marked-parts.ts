import type { Schemas } from '@mailroom/sdk';

export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Cuts a text at its highlights. Together the parts are the whole text, also where highlights overlap or lie outside. */
export function markedParts(
  text: string,
  highlights: readonly Schemas['HighlightResponse'][],
): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let done = 0;
  const add = (end: number, isMarked: boolean): void => {
    if (end > done) parts.push({ text: text.slice(done, end), isMarked });
    done = Math.max(done, end);
  };
  for (const { start, end } of highlights) {
    add(Math.min(start, text.length), false);
    add(Math.min(end, text.length), true);
  }
  add(text.length, false);
  return parts;
}
