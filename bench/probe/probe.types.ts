/** What a process says of itself; bytes and milliseconds. */
export interface ProcessFigures {
  readonly rss: number;
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  /** Processor time of all threads since the start. */
  readonly cpuMs: number;
  /** By how much timers of 5 ms were late since the last reset, 5 ms included. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
}

/** Means of the slowest hundredth of requests, milliseconds: from the request's head to the answer's end, and what of it waited. */
export interface RequestTimes {
  readonly total: number;
  /** For the user's share of what users share: connections, mostly. */
  readonly turn: number;
  readonly connection: number;
  readonly statements: number;
  readonly redis: number;
  readonly provider: number;
}

export type ProbeRequest =
  /** `collect`: garbage is collected after the resident set is read and before the heap is. */
  | { readonly ask: 'figures'; readonly collect?: boolean }
  | { readonly ask: 'resetDelay' }
  | { readonly ask: 'resetRequests' }
  | { readonly ask: 'slowestRequests' }
  | { readonly ask: 'startProfile' }
  | { readonly ask: 'stopProfile'; readonly path: string }
  | { readonly ask: 'heapSnapshot'; readonly path: string };

export type ProbeQuestion = ProbeRequest & { readonly probe: number };

export interface ProbeAnswer {
  readonly probe: number;
  readonly value?: unknown;
  readonly error?: string;
}
