import { BodyTooDeep, BodyTooSlow, UnsupportedMediaType } from '../http/json-body.guard';
import type { DomainError } from '../http/domain-error';
import { dependencyUnavailable, toDomainError } from '../http/to-domain-error';
import { TooManyRequests } from '../rate-limit/rate-limiter';

const internal = toDomainError(new Error());
const away = dependencyUnavailable(undefined);
const tooLarge = toDomainError({ status: 413 });

/** Problems that any operation can answer. */
export const ALWAYS: readonly DomainError[] = [internal, away];

/** Problems that the reading of a JSON body can end with. */
export const OF_JSON_BODIES: readonly DomainError[] = [
  toDomainError({ status: 400, type: 'entity.parse.failed' }),
  new BodyTooDeep(),
  new BodyTooSlow(),
  tooLarge,
  new UnsupportedMediaType(),
];

/** Responses that many operations share word for word, by their name among the components. */
export const SHARED_RESPONSES: Readonly<Record<string, DomainError>> = {
  RequestTimeout: new BodyTooSlow(),
  PayloadTooLarge: tooLarge,
  UnsupportedMediaType: new UnsupportedMediaType(),
  TooManyRequests: new TooManyRequests(30_000),
  InternalServerError: internal,
  ServiceUnavailable: away,
};

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Headers that problems come with. */
export const PROBLEM_HEADERS = {
  'Retry-After': {
    description: 'Seconds to wait before asking again.',
    schema: { type: 'integer', minimum: 1, example: 30 },
  },
  'WWW-Authenticate': {
    description: 'What is missing (RFC 6750 §3).',
    schema: { type: 'string', example: 'Bearer' },
  },
  'Upload-Offset': {
    description: 'Where the next chunk of the upload begins.',
    schema: { type: 'integer', minimum: 0, example: 16_777_216 },
  },
  'Content-Range': {
    description: 'How long the file is (RFC 9110 §14.4).',
    schema: { type: 'string', example: 'bytes */48213' },
  },
  'RateLimit-Limit': {
    description: 'Requests that may be made in a minute.',
    schema: { type: 'integer', example: 1200 },
  },
  'RateLimit-Remaining': {
    description: 'Requests left of them.',
    schema: { type: 'integer', example: 0 },
  },
  'RateLimit-Reset': {
    description: 'Seconds until the minute ends.',
    schema: { type: 'integer', example: 30 },
  },
} as const;
