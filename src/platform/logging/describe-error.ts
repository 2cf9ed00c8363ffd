/** The fields of an error in a log line. */
export interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  /** `ECONNREFUSED`, an SQLSTATE, a code of ours. */
  readonly code?: string | number;
  readonly table?: string;
  readonly constraint?: string;
  readonly cause?: DescribedError;
}

const MAX_DEPTH = 4;
/** Messages of drivers and clients sometimes quote what they were given. */
const MAX_MESSAGE = 500;

/**
 * Picks what helps to find a fault and nothing else: drivers hang the SQL with all its parameters, HTTP clients the
 * request with its headers on their errors, and both hold mail and secrets.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!isErrorLike(error)) return { type: typeof error, message: String(error).slice(0, MAX_MESSAGE) };
  const { code, table, constraint } = error;
  return {
    type: error.name,
    message: error.message.slice(0, MAX_MESSAGE),
    ...(typeof error.stack === 'string' ? { stack: framesOf(error.stack) } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof table === 'string' ? { table } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.cause != null && depth < MAX_DEPTH ? { cause: describeError(error.cause, depth + 1) } : {}),
  };
}

interface ErrorLike {
  readonly name: string;
  readonly message: string;
  readonly stack?: unknown;
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly table?: unknown;
  readonly constraint?: unknown;
}

/** Not `instanceof`: errors of other realms (worker threads, test runners) are errors too. */
function isErrorLike(value: unknown): value is ErrorLike {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}

/** The stack repeats the message, of any length: only its frames are kept. */
function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
