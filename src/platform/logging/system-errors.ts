/** Node's network errors, and SQLSTATE codes of a server that is away, busy or gave up in favour of another. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTCONN',
  '08000',
  '08001',
  '08003',
  '08006',
  // A server that now follows another: what was connected to it as the first cannot write.
  '25006',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  // Serialisation failure, deadlock, lock not available: the same work succeeds when it is tried again.
  '40001',
  '40P01',
  '55P03',
]);

/**
 * Codes of host names that cannot be resolved. These are the service's own servers: errors of foreign hosts arrive
 * wrapped.
 */
const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN']);

const NAMES = new Set([
  'MaxRetriesPerRequestError',
  // TypeORM releases a connection that breaks: the next statement of its transaction finds it released.
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
]);

/** Drivers throw these without any code. */
const MESSAGES = [
  // ioredis
  /^Command timed out$/,
  /^Connection is closed\.$/,
  /^Stream isn't writeable/,
  // pg and its pool
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^Client has encountered a connection error/,
  /^Query read timeout$/,
  /^Driver not Connected$/i,
];

interface Described {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly driverError?: unknown;
}

/**
 * Whether an error means that PostgreSQL or Redis is away or overloaded for the moment, rather than a fault of ours:
 * requests are answered with 503 and jobs go on from their checkpoint.
 */
export function isDependencyUnavailable(thrown: unknown): boolean {
  for (let error = thrown as Described | null | undefined, depth = 0; error && depth < 4; depth += 1) {
    if (typeof error !== 'object') return false;
    if (typeof error.code === 'string' && CODES.has(error.code)) return true;
    if (error.syscall === 'getaddrinfo' && UNRESOLVED.has(String(error.code))) return true;
    if (typeof error.name === 'string' && NAMES.has(error.name)) return true;
    const message = typeof error.message === 'string' ? error.message : '';
    if (MESSAGES.some((pattern) => pattern.test(message))) return true;
    error = (error.driverError ?? error.cause) as Described | null | undefined;
  }
  return false;
}

/** Whether PostgreSQL ended a transaction because it and another waited for each other. */
export function isDeadlock(thrown: unknown): boolean {
  const error = thrown as Described | null | undefined;
  return error?.code === '40P01' || (error?.driverError as Described | undefined)?.code === '40P01';
}

/** Whether PostgreSQL ended a statement: it took longer than it may, or was cancelled. */
export function isStatementTimeout(thrown: unknown): boolean {
  const error = thrown as Described | null | undefined;
  return error?.code === '57014' || (error?.driverError as Described | undefined)?.code === '57014';
}

/** Whether a file could not be written for want of room: the disk is full, or the quota on it used up. */
export function isSpaceExhausted(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
