/** A mark by a person, or a find of a detector, in one entry: its kind, and its value in one spelling. */
export interface Mark {
  readonly kind: string;
  readonly value: string;
}

/** One labelled entry beside what the detector made of it. */
export interface Judged {
  readonly id: string;
  /** The sort of text it stands for, as its author named it. */
  readonly class: string;
  readonly expected: readonly Mark[];
  readonly found: readonly Mark[];
}

export interface Score {
  readonly kind: string;
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly precision: number;
  readonly recall: number;
  /** One line for every entry that is not as marked: what was missed or wrongly found, and where. */
  readonly failures: readonly string[];
}

/**
 * Precision (share of the finds that are right) and recall (share of the marked things that were found) of one kind
 * over all entries. Within an entry a value counts once, however often it stands there.
 */
export function score(kind: string, entries: readonly Judged[]): Score {
  let truePositives = 0;
  let falsePositives = 0;
  let falseNegatives = 0;
  const failures: string[] = [];
  for (const entry of entries) {
    const expected = valuesOf(kind, entry.expected);
    const found = valuesOf(kind, entry.found);
    for (const value of found) {
      if (expected.has(value)) truePositives++;
      else {
        falsePositives++;
        failures.push(`found  ${entry.id} (${entry.class}): ${value}`);
      }
    }
    for (const value of expected) {
      if (found.has(value)) continue;
      falseNegatives++;
      failures.push(`missed ${entry.id} (${entry.class}): ${value}`);
    }
  }
  return {
    kind,
    truePositives,
    falsePositives,
    falseNegatives,
    precision: share(truePositives, truePositives + falsePositives),
    recall: share(truePositives, truePositives + falseNegatives),
    failures,
  };
}

/** The scores as a table for the test report. */
export function scoreTable(title: string, scores: readonly Score[]): string {
  const rows = scores.map((one) =>
    [
      one.kind.padEnd(16),
      String(one.truePositives).padStart(5),
      String(one.falsePositives).padStart(4),
      String(one.falseNegatives).padStart(4),
      one.precision.toFixed(4).padStart(10),
      one.recall.toFixed(4).padStart(7),
    ].join(' '),
  );
  return [title, 'kind                TP   FP   FN  precision  recall', ...rows].join('\n');
}

function valuesOf(kind: string, marks: readonly Mark[]): Set<string> {
  return new Set(marks.filter((mark) => mark.kind === kind).map((mark) => mark.value));
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
