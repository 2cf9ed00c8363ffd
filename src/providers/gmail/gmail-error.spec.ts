import { CursorInvalid, LabelExists, LabelNotFound } from '../port/mail-provider.errors';
import { gmailFailure, retryInstant } from './gmail-error';
import { networkFailure } from '../gateway/network-failure';

const now = Date.parse('2026-09-11T19:59:00.000Z');
const body = (code: number, message: string, reason?: string, status?: string) => ({
  error: {
    code,
    message,
    ...(reason && { errors: [{ domain: 'global', reason, message }] }),
    ...(status && { status }),
  },
});

describe('gmailFailure', () => {
  it.each([
    [
      '403 with the instant in its text',
      403,
      {
        error: {
          code: 403,
          message: 'User-rate limit exceeded.  Retry after 2026-09-11T20:00:00.000Z',
          errors: [{ domain: 'usageLimits', reason: 'rateLimitExceeded' }],
          status: 'PERMISSION_DENIED',
        },
      },
      { kind: 'rateLimited', reason: 'rateLimitExceeded', retryAt: now + 60_000 },
      'provider-rate-limited',
    ],
    [
      '429 with it',
      429,
      body(429, 'User-rate limit exceeded.  Retry after 2026-09-11T20:00:00Z', 'rateLimitExceeded'),
      { kind: 'rateLimited', retryAt: now + 60_000 },
      'provider-rate-limited',
    ],
    [
      '403 of the per-minute quota',
      403,
      body(
        403,
        "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:1'.",
        'rateLimitExceeded',
        'RESOURCE_EXHAUSTED',
      ),
      { kind: 'rateLimited', retryAt: null },
      'provider-rate-limited',
    ],
    [
      'the newer form of a quota error',
      403,
      {
        error: {
          code: 403,
          message: 'Quota',
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'RATE_LIMIT_EXCEEDED' }],
        },
      },
      { kind: 'rateLimited', reason: 'RATE_LIMIT_EXCEEDED' },
      'provider-rate-limited',
    ],
    [
      '403 userRateLimitExceeded',
      403,
      body(403, 'slow', 'userRateLimitExceeded'),
      { kind: 'rateLimited' },
      'provider-rate-limited',
    ],
    [
      '403 quotaExceeded',
      403,
      body(403, 'slow', 'quotaExceeded'),
      { kind: 'rateLimited' },
      'provider-rate-limited',
    ],
    [
      'concurrency',
      429,
      body(429, 'Too many concurrent requests for user', 'rateLimitExceeded', 'RESOURCE_EXHAUSTED'),
      { kind: 'concurrency' },
      'provider-rate-limited',
    ],
    ['429 without a body', 429, '', { kind: 'rateLimited', reason: 'http_429' }, 'provider-rate-limited'],
    [
      'the daily limit',
      403,
      body(403, 'Daily Limit Exceeded', 'dailyLimitExceeded'),
      { kind: 'refused' },
      'provider-rate-limited',
    ],
    [
      'a missing scope',
      403,
      {
        error: {
          code: 403,
          message: 'Request had insufficient authentication scopes.',
          errors: [
            { message: 'Insufficient Permission', domain: 'global', reason: 'insufficientPermissions' },
          ],
          status: 'PERMISSION_DENIED',
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        },
      },
      { kind: 'refused', reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' },
      'provider-rejected',
    ],
    ['domain policy', 403, body(403, 'Domain', 'domainPolicy'), { kind: 'refused' }, 'provider-rejected'],
    ['an unknown 403', 403, 'forbidden', { kind: 'refused', reason: 'http_403' }, 'provider-rejected'],
    [
      'a bad argument',
      400,
      body(400, 'Invalid label: X', 'invalidArgument'),
      { kind: 'refused' },
      'provider-rejected',
    ],
    [
      'a failed precondition',
      400,
      body(400, 'Precondition check failed.', 'failedPrecondition'),
      { kind: 'refused' },
      'provider-rejected',
    ],
    [
      'an id of the wrong form',
      400,
      body(400, 'Invalid id value', 'invalidArgument'),
      { kind: 'refused' },
      'message-not-found',
    ],
    [
      '401',
      401,
      body(401, 'Invalid Credentials', 'authError'),
      { kind: 'unauthorized' },
      'provider-unavailable',
    ],
    [
      '404',
      404,
      body(404, 'Requested entity was not found.', 'notFound'),
      { kind: 'refused' },
      'message-not-found',
    ],
    [
      'a 404 of something else than the API',
      404,
      '<!DOCTYPE html><title>Not found</title>',
      { kind: 'unavailable' },
      'provider-unavailable',
    ],
    [
      '409',
      409,
      body(409, 'Label name exists or conflicts', 'aborted'),
      { kind: 'refused' },
      'provider-rejected',
    ],
    ['408', 408, '', { kind: 'unavailable' }, 'provider-unavailable'],
    [
      '500',
      500,
      body(500, 'Backend Error', 'backendError'),
      { kind: 'unavailable', reason: 'backendError' },
      'provider-unavailable',
    ],
    [
      '503 as a page',
      503,
      '<html>Service Unavailable</html>',
      { kind: 'unavailable' },
      'provider-unavailable',
    ],
    ['413', 413, null, { kind: 'refused' }, 'provider-rejected'],
    ['a redirect', 302, '', { kind: 'unavailable' }, 'provider-unavailable'],
    [
      'nonsense in the reason',
      403,
      body(403, 'x', 'a b\n"c"'),
      { kind: 'refused', reason: 'http_403' },
      'provider-rejected',
    ],
  ])('%s', (_name, status, answer, expected, code) => {
    const failure = gmailFailure({ status, body: answer }, { now });
    expect(failure).toMatchObject(expected);
    expect(failure.error.code).toBe(code);
  });

  it('should let the caller define 404, 409 and a bad argument', () => {
    const meaning = {
      now,
      notFound: () => new CursorInvalid(),
      conflict: () => new LabelExists(),
      invalidArgument: (message: string) =>
        message.includes('label') ? new LabelNotFound() : new LabelExists(),
    };
    expect(gmailFailure({ status: 404, body: null }, meaning).error).toBeInstanceOf(CursorInvalid);
    expect(gmailFailure({ status: 409, body: null }, meaning).error).toBeInstanceOf(LabelExists);
    const bad = { status: 400, body: body(400, 'Invalid label: X', 'invalidArgument') };
    expect(gmailFailure(bad, meaning).error).toBeInstanceOf(LabelNotFound);
  });

  it('should not reveal the answer’s text to callers', () => {
    const failure = gmailFailure(
      { status: 400, body: body(400, 'secret-token-123', 'invalidArgument') },
      { now },
    );
    expect(failure.error.detail).not.toContain('secret');
    expect(failure.message).not.toContain('secret');
  });
});

describe('retryInstant', () => {
  it.each([
    ['text before header', 'x. Retry after 2026-09-11T20:00:00.000Z', '5', now + 60_000],
    ['seconds', '', '5', now + 5_000],
    ['a date', '', 'Fri, 11 Sep 2026 20:00:00 GMT', now + 60_000],
    ['neither', 'slow down', undefined, null],
    ['nonsense', 'Retry after 2026-99-99T99:99:99Z', 'soon', null],
  ])('%s', (_name, message, header, expected) => {
    expect(retryInstant(message, header, now)).toBe(expected);
  });
});

describe('networkFailure', () => {
  it.each([
    [Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'ECONNRESET'],
    [Object.assign(new Error('x'), { code: 'something else' }), 'network'],
    ['not even an error', 'network'],
    [null, 'network'],
  ])('%s', (error, reason) => {
    expect(networkFailure(error)).toMatchObject({ kind: 'unavailable', reason });
  });
});
