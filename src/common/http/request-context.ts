import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request } from 'express';

export interface RequestContext {
  readonly requestId: string;
  readonly request: Request;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` as part of an HTTP request, so that deep code can see e.g. its `Idempotency-Key`. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The current HTTP request, or undefined in jobs and schedules. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}
