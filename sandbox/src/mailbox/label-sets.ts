/**
 * Sets of labels, each kept once: a message holds a number instead of a set, and 200,000 messages share the few
 * hundred combinations that occur.
 */
export class LabelSets {
  private readonly sets: ReadonlySet<string>[] = [];
  private readonly ids = new Map<string, number>();

  intern(labels: Iterable<string>): number {
    const sorted = [...new Set(labels)].sort();
    const key = sorted.join('\n');
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.ids.set(key, this.sets.length);
    return this.sets.push(new Set(sorted)) - 1;
  }

  get(id: number): ReadonlySet<string> {
    return this.sets[id] as ReadonlySet<string>;
  }

  get size(): number {
    return this.sets.length;
  }

  /** A function from a set's number to that of the changed set; each distinct set is worked out once. */
  createChange(add: readonly string[], remove: readonly string[]): (id: number) => number {
    const results = new Map<number, number>();
    return (id) => {
      const known = results.get(id);
      if (known !== undefined) return known;
      const labels = new Set(this.get(id));
      for (const label of remove) labels.delete(label);
      for (const label of add) labels.add(label);
      const result = this.intern(labels);
      results.set(id, result);
      return result;
    };
  }
}
