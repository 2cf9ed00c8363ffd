/**
 * The first items of several lists, each in the given order, as one list in that order. Items of a list keep their order.
 * @param compare negative when the first comes before the second
 */
export function mergeOrdered<T>(
  lists: readonly (readonly T[])[],
  limit: number,
  compare: (one: T, other: T) => number,
): T[] {
  const places = lists.map(() => 0);
  const merged: T[] = [];
  while (merged.length < limit) {
    let next: number | null = null;
    for (const [index, list] of lists.entries()) {
      if (places[index]! >= list.length) continue;
      if (next === null || compare(list[places[index]!]!, lists[next]![places[next]!]!) < 0) next = index;
    }
    if (next === null) break;
    merged.push(lists[next]![places[next]!]!);
    places[next]! += 1;
  }
  return merged;
}
