import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields that every log line of the current request or job carries. */
export interface LogContext {
  requestId?: string;
  jobId?: string;
  userId?: string;
  /** Of the key the request came with, when it came with one. */
  apiKeyId?: string;
  accountId?: string;
}

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work` with `context` attached to every log line written inside. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run(context, work);
}

/** Adds fields to the current context, e.g. the user once the token has been read. */
export function addLogContext(fields: LogContext): void {
  const current = storage.getStore();
  if (current) Object.assign(current, fields);
}

export function currentLogContext(): Readonly<LogContext> {
  return storage.getStore() ?? {};
}
