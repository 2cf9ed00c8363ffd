import type { CallPriority, ProviderAccount } from '../mailbox-provider.port';

/** One call to a provider, or one batch of calls that travel together. */
export interface ProviderCall {
  readonly account: ProviderAccount;
  /** The provider's method, e.g. `messages.get`: decides the units and names the usage record. */
  readonly endpoint: string;
  /** How many calls the provider counts (default 1), e.g. the parts of a batch. */
  readonly calls?: number;
  /** Quota units of all of them together; default: the configured cost × `calls`. */
  readonly units?: number;
  readonly priority: CallPriority;
  readonly signal?: AbortSignal;
  /** Bytes the answer is likely to hold in memory; reserves the process's budget for bodies in flight. */
  readonly expectedBytes?: number;
}

/** What one attempt is given. */
export interface CallAttempt {
  /** From 1. Above 1 an earlier attempt may have had its effect although its answer was lost. */
  readonly number: number;
  readonly accessToken: string;
  /** Aborts with the caller's signal or when the attempt takes too long. */
  readonly signal: AbortSignal;
  /** Reports that more bytes arrived than expected. */
  received(bytes: number): void;
}
