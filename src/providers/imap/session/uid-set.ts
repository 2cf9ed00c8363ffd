const MAX_UID = 4_294_967_295;

/** A set of UIDs, stored as ascending ranges: a million UIDs need little memory, however the server writes them. */
export class UidSet {
  private constructor(private readonly ranges: readonly (readonly [number, number])[]) {}

  /** @param text a set as servers write it, e.g. `1:20,25`; other text is left out */
  static parse(text: string): UidSet {
    const ranges = text.split(',').flatMap((part): [number, number][] => {
      const [from, to = from] = part.split(':').map(Number);
      if (!isUid(from) || !isUid(to)) return [];
      return [[Math.min(from, to), Math.max(from, to)]];
    });
    return UidSet.join(ranges);
  }

  static of(uids: readonly number[]): UidSet {
    return UidSet.join(uids.filter(isUid).map((uid): [number, number] => [uid, uid]));
  }

  get size(): number {
    return this.ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  get first(): number | undefined {
    return this.ranges[0]?.[0];
  }

  get last(): number | undefined {
    return this.ranges.at(-1)?.[1];
  }

  /** Returns the UIDs from `from` to `to`, both included. */
  restrictTo(from: number, to: number): UidSet {
    return new UidSet(
      this.ranges.flatMap(([low, high]): [number, number][] =>
        high < from || low > to ? [] : [[Math.max(low, from), Math.min(high, to)]],
      ),
    );
  }

  /** Returns the `count` largest UIDs. */
  largest(count: number): UidSet {
    const kept: [number, number][] = [];
    let left = count;
    for (let index = this.ranges.length - 1; index >= 0 && left > 0; index -= 1) {
      const [low, high] = this.ranges[index] as [number, number];
      const from = Math.max(low, high - left + 1);
      kept.unshift([from, high]);
      left -= high - from + 1;
    }
    return new UidSet(kept);
  }

  *pages(size: number): Generator<number[]> {
    let page: number[] = [];
    for (const [low, high] of this.ranges) {
      for (let uid = low; uid <= high; uid += 1) {
        page.push(uid);
        if (page.length < size) continue;
        yield page;
        page = [];
      }
    }
    if (page.length > 0) yield page;
  }

  /** Formats the set for a command, e.g. `1:20,25`. */
  toString(): string {
    return this.ranges.map(([from, to]) => (from === to ? `${from}` : `${from}:${to}`)).join(',');
  }

  private static join(ranges: [number, number][]): UidSet {
    const joined: [number, number][] = [];
    for (const [from, to] of ranges.sort(([one], [other]) => one - other)) {
      const before = joined.at(-1);
      if (before && from <= before[1] + 1) before[1] = Math.max(before[1], to);
      else joined.push([from, to]);
    }
    return new UidSet(joined);
  }
}

const isUid = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= MAX_UID;
