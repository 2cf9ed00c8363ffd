import fc from 'fast-check';

/** The factor for the number of runs: `FC_RUNS=100` finds what the suite's small sample misses. */
const FACTOR = Number(process.env.FC_RUNS ?? (process.env.TEST_TIER === 'all' ? 1 : 0.25));
const SEED = 20_261_122;
const TIMEOUT_MS = 120_000 * Math.max(1, FACTOR);

/** Gives the tests of a spec the time that many examples take. */
export const allowForExamples = (): unknown => jest.setTimeout(TIMEOUT_MS);

/**
 * Checks a property with so many examples: the same ones in every run of the suite, others each time when `FC_RUNS` asks
 * for more. A failure prints the seed and the smallest example found; `FC_SEED` repeats it.
 */
export function holds<Ts>(runs: number, property: fc.IAsyncProperty<Ts>): Promise<void>;
export function holds<Ts>(runs: number, property: fc.IProperty<Ts>): void;
export function holds<Ts>(runs: number, property: fc.IRawProperty<Ts>): Promise<void> | void {
  const seed = process.env.FC_SEED ?? (process.env.FC_RUNS === undefined ? SEED : undefined);
  const numRuns = Math.max(1, Math.round(runs * FACTOR));
  return fc.assert(property as fc.IProperty<Ts>, {
    numRuns,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  });
}

/** Any string JavaScript can hold, halves of surrogate pairs and controls included. */
export const anyUtf16 = (maxLength = 60): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)),
    ),
    maxLength,
  });

/** Text a person may have written: any characters but controls and halves of pairs. */
export const anyText = (maxLength = 60): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom(' ', 'é', '東', '😀'),
    ),
    maxLength,
  });

/** Mixtures of pieces that mean something to their parser. */
export const mixtureOf = (pieces: readonly string[], maxLength = 12): fc.Arbitrary<string> =>
  fc.array(fc.oneof(fc.constantFrom(...pieces), anyUtf16(2)), { maxLength }).map((all) => all.join(''));

/** The bytes cut into pieces of any sizes, empty ones left out. */
export function cutAt(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let turn = 0; from < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : Math.max(1, sizes[turn % sizes.length] as number);
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return pieces;
}

export const pieceSizes = (max = 40): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1, max }), { minLength: 1, maxLength: 8 });

export { fc };
