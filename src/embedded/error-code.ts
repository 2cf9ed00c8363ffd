/** True when `error` is a system error with the given code, such as `ENOENT`, or a SQLSTATE. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
