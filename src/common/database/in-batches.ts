/** Rows a statement deletes at most: long transactions hold up everybody's vacuum. */
const BATCH = 1_000;

/**
 * Deletes in statements of bounded size until there is nothing left.
 * @param deleteSome deletes at most `limit` rows and says how many. @returns rows deleted
 */
export async function inBatches(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await deleteSome(BATCH);
    deleted += batch;
    if (batch < BATCH) return deleted;
  }
}
