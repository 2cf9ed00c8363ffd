import { asyncContext, type LogContext, withContext } from '../context/async-context';

/** Runs `work` with `context` attached to every log line written inside. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return withContext({ log: context }, work);
}

/** Adds fields to the current context, e.g. the user once the token has been read. */
export function addLogContext(fields: LogContext): void {
  const current = asyncContext.getStore();
  if (current) Object.assign(current.log, fields);
}

export function currentLogContext(): Readonly<LogContext> {
  return asyncContext.getStore()?.log ?? {};
}
