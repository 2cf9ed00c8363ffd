/** Limits of one user, refilled continuously; both may hold at once. */
export interface SandboxQuota {
  unitsPerSecond?: number;
  unitsPerMinute?: number;
  /** Which answer an exhausted quota gives. The provider uses both, so `alternate` is the default. */
  answer?: '429' | '403' | 'alternate';
}

export interface SandboxOptions {
  /** Generated messages in the default mailbox (default 2,000; up to 200,000 with flat memory). */
  messages?: number;
  /** Adds each `*.eml` below this folder to the default mailbox, byte for byte. */
  mailDir?: string;
  /** Address of the default mailbox. */
  email?: string;
  seed?: number;
  /** 0 (the default) takes a free port; always bound to 127.0.0.1. */
  port?: number;
  /** Added to every HTTP request. */
  latencyMs?: number;
  quota?: SandboxQuota | null;
  /** Calls of one user in flight above which the provider answers 429; parts of a batch count. */
  maxConcurrentRequests?: number;
  /** Overrides of the units an endpoint costs, e.g. `{ 'messages.get': 20 }`. */
  unitCosts?: Record<string, number>;
  /** Approximate mean raw size of generated messages, in bytes. */
  averageBytes?: number;
  /** Most bytes of generated raw messages kept per mailbox (default 16 MiB); benchmarks keep them all. */
  rawCacheBytes?: number;
  /** The instant the generated mail ends at and searches count from; default: today 00:00 UTC and the clock. */
  now?: Date;
}

/** The options that can be changed while the simulator runs (`PATCH /sandbox/options`). */
export interface SandboxLiveOptions {
  latencyMs: number;
  quota: SandboxQuota | null;
  maxConcurrentRequests: number | null;
}

export interface SandboxStatsSnapshot {
  /** Calls per endpoint name (`messages.list`), parts of a batch each counted; refused calls included. */
  calls: Record<string, number>;
  /** Units charged per endpoint name. */
  units: Record<string, number>;
  /** Answers per HTTP status, inner statuses of batches included. */
  statuses: Record<string, number>;
  totalCalls: number;
  totalUnits: number;
  /** Calls refused for quota or concurrency. */
  refused: number;
  /** HTTP requests to the API (a batch is one). */
  httpRequests: number;
  /** Most API calls in flight at once, parts of batches counted. */
  maxInFlight: number;
  tokenRefreshes: number;
  /** Like `calls`, by mailbox address; without batches and sign-ins. */
  byMailbox: Record<string, Record<string, number>>;
}

export interface SandboxStats extends SandboxStatsSnapshot {
  reset(): void;
}

/** The answer of a fault instead of, or around, that of the real handler. */
export type SandboxFaultAnswer =
  | { kind: 'concurrency' }
  | { kind: 'rateLimit429' }
  | { kind: 'rateLimitExceeded' }
  | { kind: 'userRateLimitExceeded' }
  /** 403 whose message text holds the instant `now + afterMs`. */
  | { kind: 'retryAfter'; afterMs: number }
  | { kind: 'dailyLimitExceeded' }
  | { kind: 'insufficientPermissions' }
  | { kind: 'unauthorized' }
  | { kind: 'backendError' }
  | { kind: 'unavailable' }
  | { kind: 'error'; status: number; reason: string; message: string; headers?: Record<string, string> }
  /** The handler runs, then the answer never comes. */
  | { kind: 'hang' }
  /** The handler runs, then the connection breaks in the middle of the body. */
  | { kind: 'cut' }
  /** The handler runs, then the connection is reset before the first byte. */
  | { kind: 'reset' }
  /** The handler runs, then the answer waits. */
  | { kind: 'slow'; delayMs: number }
  /** The handler runs, then the body comes byte by byte with so long a pause between two. */
  | { kind: 'trickle'; delayMs: number }
  /** The handler runs, then a body begins that has no end. */
  | { kind: 'endless' }
  /** Something else answers in the provider's place: a sign-in page, half a document, nothing. Status 200 unless said. */
  | { kind: 'foreign'; body: string; contentType?: string; status?: number }
  /** For a part of a batch: the handler runs, its answer is missing from the batch's. A call outside a batch hangs. */
  | { kind: 'missing' }
  /** For an insert: a message with the same Message-ID, in the trash too, is answered in its place. */
  | { kind: 'foldTwin' }
  /** For an insert: the message gets further header fields at its beginning. */
  | { kind: 'addFields' }
  /** For an insert: the message gets a Message-ID at its beginning. */
  | { kind: 'addMessageId' }
  /** For an insert: the message's text is changed. */
  | { kind: 'alterBytes' }
  /** For the token endpoint. */
  | { kind: 'invalidGrant' }
  /** Takes effect at once: every access token handed out so far becomes invalid. */
  | { kind: 'expireAccessTokens' };

export interface SandboxFault {
  /** Endpoint name, `messages.*`, `oauth.token`, or `batch` (the whole batch); absent: any Gmail call. */
  endpoint?: string;
  /** Only calls that name this message id in their path. */
  messageId?: string;
  /** Only calls for this mailbox address. */
  email?: string;
  /** Matching calls that pass before the fault begins (default 0). */
  skip?: number;
  /** Number of times that it strikes (default 1; `'always'` until cleared). */
  times?: number | 'always';
  /** Errors and foreign answers only: apply the call first, then answer with the fault. */
  afterApplying?: boolean;
  answer: SandboxFaultAnswer;
}

export interface InsertOptions {
  labelIds?: readonly string[];
  internalDate?: Date;
  threadId?: string;
}

/** Direct access for tests; changes are recorded in the history as a user's would be. */
export interface SandboxMailbox {
  readonly email: string;
  readonly historyId: string;
  /** Ids of all messages, newest first, spam and trash included. */
  ids(): string[];
  raw(id: string): Buffer;
  /** HTML-escaped, as the API shows it. */
  snippet(id: string): string;
  /** Label ids of a message; throws when there is no such message. */
  labels(id: string): string[];
  threadId(id: string): string;
  internalDate(id: string): Date;
  insert(raw: Buffer | string, options?: InsertOptions): string;
  changeLabels(
    ids: string | readonly string[],
    change: { add?: readonly string[]; remove?: readonly string[] },
  ): void;
  remove(id: string): void;
  /** Ids of all messages that ever received a label, each once, even if they have lost it again. */
  received(label: string): string[];
  /** Makes every cursor handed out so far too old: `history.list` answers 404 to it. */
  expireHistory(): void;
}

export interface SandboxServer {
  /** `http://127.0.0.1:<port>`, the API's root (GMAIL_ROOT_URL). */
  readonly url: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stats: SandboxStats;
  fault(fault: SandboxFault): void;
  /** All of them, or those for one mailbox address only. */
  clearFaults(email?: string): void;
  mailbox(email?: string): SandboxMailbox;
  close(): Promise<void>;
}
