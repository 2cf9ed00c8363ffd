/** A private server cannot be started; the message is one sentence saying what to install, set or free. */
export class EmbeddedServiceUnavailable extends Error {
  override readonly name = 'EmbeddedServiceUnavailable';
}

/**
 * True when `error` is a system error with the given code, such as `ENOENT`, or carries that SQLSTATE.
 * Not decided by `instanceof Error`, which is false for errors from Node's core under Jest.
 */
export function hasErrorCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
