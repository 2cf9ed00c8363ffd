/** Positions in a list, in the form of checkpoints: single ones, and runs as pairs of the first and the last. */
export type SavedPositions = readonly (number | readonly [first: number, last: number])[];

/**
 * Encodes positions for a checkpoint, which is written after every batch: tens of thousands in a row are one pair.
 * @param positions positions in ascending order
 */
export function packPositions(positions: readonly number[]): SavedPositions {
  const runs: [number, number][] = [];
  for (const position of positions) {
    const run = runs.at(-1);
    if (run && run[1] === position - 1) run[1] = position;
    else runs.push([position, position]);
  }
  return runs.map(([first, last]) => (first === last ? first : [first, last]));
}

/** Decodes the positions of a checkpoint. */
export function unpackPositions(saved: SavedPositions): number[] {
  return saved.flatMap((run) =>
    typeof run === 'number'
      ? [run]
      : Array.from({ length: run[1] - run[0] + 1 }, (_, offset) => run[0] + offset),
  );
}
