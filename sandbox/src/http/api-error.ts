const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
};
const USAGE_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
]);

/** An error answer in Google's JSON shape. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    private readonly details?: readonly unknown[],
  ) {
    super(message);
  }

  body(): unknown {
    const domain = USAGE_REASONS.has(this.reason) ? 'usageLimits' : 'global';
    const authorization = this.status === 401 ? { location: 'Authorization', locationType: 'header' } : {};
    return {
      error: {
        code: this.status,
        message: this.message,
        errors: [{ message: this.message, domain, reason: this.reason, ...authorization }],
        status: STATUS_NAMES[this.status] ?? 'UNKNOWN',
        ...(this.details === undefined ? {} : { details: this.details }),
      },
    };
  }

  static invalidArgument(message: string): ApiError {
    return new ApiError(400, 'invalidArgument', message);
  }

  static notFound(): ApiError {
    return new ApiError(404, 'notFound', 'Requested entity was not found.');
  }

  static unauthenticated(): ApiError {
    return new ApiError(
      401,
      'authError',
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.',
      { 'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
    );
  }

  static insufficientScopes(): ApiError {
    return new ApiError(
      403,
      'insufficientPermissions',
      'Request had insufficient authentication scopes.',
      { 'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/", error="insufficient_scope"' },
      [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          domain: 'googleapis.com',
        },
      ],
    );
  }

  static tooManyConcurrentRequests(): ApiError {
    return new ApiError(429, 'rateLimitExceeded', 'Too many concurrent requests for user');
  }

  static quotaExceeded(status: 403 | 429): ApiError {
    return new ApiError(
      status,
      'rateLimitExceeded',
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:000000000000'.",
    );
  }

  /** The instant stands in the text and nowhere else, as in the real answer. */
  static retryAfter(instant: Date): ApiError {
    return new ApiError(
      403,
      'rateLimitExceeded',
      `User-rate limit exceeded.  Retry after ${instant.toISOString()}`,
    );
  }
}
