/** What a figure is compared with; the same unit for all numbers. */
export interface Reference {
  readonly better: 'more' | 'less';
  /** On the same machine, before the work that `RESULTS.md` tells of. */
  readonly before?: number;
  /** The closest comparable product at the same work (`peer`), or what the framework or the hardware can do (`floor`). */
  readonly other?: { readonly name: string; readonly value: number };
}

export interface Comparison extends Reference {
  readonly now: number;
}

/** Figures of two cores (AMD EPYC, virtual), Node 20, everything on the same cores; peers were measured there as well. */
export const REFERENCES = {
  live: { better: 'more', before: 1_610 },
  savedSearches: { better: 'more', before: 670, other: { name: 'peer', value: 2_140 } },
  jobs: { better: 'more', before: 430, other: { name: 'peer', value: 1_670 } },
  me: { better: 'more', before: 420 },
  /** p99 in milliseconds; the best of four settings. */
  readsUnderLoad: { better: 'less', before: 259 },
  archive: { better: 'more', before: 230, other: { name: 'peer', value: 29 } },
  mboxImport: { better: 'more', before: 361, other: { name: 'peer', value: 193 } },
  /** MB a second. */
  mboxExport: { better: 'more', before: 138, other: { name: 'peer', value: 67 } },
  zipExport: { better: 'more', before: 122, other: { name: 'peer', value: 13 } },
  /** Of mails a second; the floor encrypts the same bytes in memory and writes nothing. */
  encrypt: { better: 'more', before: 440, other: { name: 'peer', value: 19 } },
  /** p95 in milliseconds. */
  searchTwoWords: { better: 'less', before: 79 },
  searchSender: { better: 'less', before: 100 },
  searchCommonWord: { better: 'less', before: 320 },
  /** Seconds. */
  quickStart: { better: 'less', before: 2.9 },
} as const satisfies Record<string, Reference>;

export function compare(reference: Reference, now: number): Comparison {
  return { ...reference, now };
}

/** `1.43 ×`: so many times as good as `then`, for rates and for durations. */
export function timesAsGood({ better, now }: Comparison, then: number): string {
  return `${(better === 'more' ? now / then : then / now).toFixed(2)} ×`;
}
