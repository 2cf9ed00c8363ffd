import type { Request } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseScope } from './database-scope';

export interface RequestContext {
  readonly requestId: string;
  readonly request: Request;
}

/** Fields that every log line of the current request or job carries. */
export interface LogContext {
  requestId?: string;
  jobId?: string;
  userId?: string;
  /** Id of the API key that the request came with; undefined without one. */
  apiKeyId?: string;
  accountId?: string;
}

/** Between its small steps, background work waits for its turn. */
export interface Turns {
  /** undefined: the next step may begin at once. */
  waitForTurn(): Promise<void> | undefined;
}

/** The parts of the request or job that code deep down can read. */
export interface AsyncContext {
  readonly log: LogContext;
  /** Undefined in jobs and schedules. */
  readonly request?: RequestContext;
  /** Undefined in jobs and schedules, and before it is known who a request is from. */
  database?: DatabaseScope;
  /** Undefined in requests, and inside transactions: locks are not held any longer than necessary. */
  readonly background?: Turns;
}

/** One store for everything: Node carries each store through every promise. */
export const asyncContext = new AsyncLocalStorage<AsyncContext>();

/** Runs `work` in the present context with some of it replaced. */
export function withContext<T>(changes: Partial<AsyncContext>, work: () => T): T {
  return asyncContext.run({ log: {}, ...asyncContext.getStore(), ...changes }, work);
}
