export interface FieldError {
  /** Path of the offending field, e.g. `messageIds` or `conditions.0.value`. */
  readonly field: string;
  readonly message: string;
  /** The same as a stable name, where clients have words of their own for it. */
  readonly reason?: string;
}

export interface DomainErrorOptions {
  /** Stable, kebab-case: clients and tests depend on it. */
  readonly code: string;
  /** HTTP status the problem document carries. */
  readonly status: number;
  /** A sentence for the person reading it; never SQL, paths or an upstream body. */
  readonly detail: string;
  /** Level at which the problem filter logs it; expected outcomes are `debug`. */
  readonly level?: 'debug' | 'info' | 'warn' | 'error';
  readonly errors?: readonly FieldError[];
  /** Further response headers, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The place in a text of the request that is refused, in UTF-16 units. */
  readonly span?: { readonly offset: number; readonly length: number };
  /** Text of another server, in its words: one short line, without control characters. */
  readonly serverText?: string;
  /** Time until which it is refused: the answer has `Retry-After`, and a job is postponed. */
  readonly retryAt?: Date;
  readonly cause?: unknown;
}

/** Base of every expected failure; one filter turns it into an RFC 9457 problem document. */
export class DomainError extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAt?: Date;
  readonly serverText?: string;
  readonly span?: { readonly offset: number; readonly length: number };

  constructor(options: DomainErrorOptions) {
    super(options.detail, { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.status = options.status;
    this.detail = options.detail;
    this.level = options.level ?? (options.status >= 500 ? 'error' : 'debug');
    this.errors = options.errors;
    this.retryAt = options.retryAt;
    this.serverText = options.serverText;
    this.span = options.span;
    this.headers = options.retryAt
      ? { ...options.headers, 'Retry-After': secondsUntil(options.retryAt) }
      : options.headers;
  }
}

/** For `Retry-After` (RFC 9110, 10.2.3): at least a second. */
const secondsUntil = (instant: Date): string =>
  String(Math.max(1, Math.ceil((instant.getTime() - Date.now()) / 1000)));

/** 400 with the fields that are wrong. */
export class ValidationFailed extends DomainError {
  constructor(errors: readonly FieldError[]) {
    super({
      code: 'validation-failed',
      status: 400,
      detail: errors.map((error) => `${error.field}: ${error.message}`).join('; '),
      errors,
    });
  }
}

/** 404 for a resource that does not exist or belongs to another user: the answer is the same. */
export class ResourceNotFound extends DomainError {
  constructor(resource: string) {
    super({
      code: `${resource.replaceAll(' ', '-')}-not-found`,
      status: 404,
      detail: `No such ${resource}.`,
    });
  }
}
