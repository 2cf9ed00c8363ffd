export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

export interface PageFrom extends PageRange {
  /** Whether the rows are to be read in the opposite order and turned round. */
  readonly isReversed: boolean;
}

/**
 * The position of a page in its list, read from the nearer end, so that the last page costs no more than the first.
 * @param total rows of the list in the same snapshot; null: unknown, the list is read from its beginning
 */
export function pageFrom({ limit, offset }: PageRange, total: number | null): PageFrom {
  if (total === null) return { limit, offset, isReversed: false };
  const rows = Math.max(0, Math.min(limit, total - offset));
  const behind = total - offset - rows;
  return rows > 0 && behind < offset
    ? { limit: rows, offset: behind, isReversed: true }
    : { limit: rows, offset, isReversed: false };
}
