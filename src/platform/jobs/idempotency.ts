import type { Request } from 'express';
import { createHash } from 'node:crypto';
import { ValidationFailed } from '../http/domain-error';
import { currentRequest } from '../http/request-context';

/** Hours for which a key names the job it started. */
export const IDEMPOTENCY_HOURS = 24;

export const MAX_KEY_LENGTH = 255;

/** Two starts with the same key are the same start. */
export interface IdempotencyKey {
  /** Unique per user. */
  readonly key: string;
  /** Hash of the request that came with the key; null when the key alone decides. */
  readonly requestHash: string | null;
}

/** A keyed hash of at most 64 characters: requests hold passwords, and a plain hash would let them be guessed. */
export type Fingerprint = (text: string) => string;

/** A request may start several jobs; its n-th start repeats the n-th start of the first time. */
const startsByRequest = new WeakMap<Request, number>();

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The key of the next job started within the current HTTP request, or null without an `Idempotency-Key` header.
 * @throws ValidationFailed when the header is longer than 255 characters
 */
export function idempotencyOfRequest(fingerprint: Fingerprint): IdempotencyKey | null {
  const idempotency = nextIdempotencyOfRequest(fingerprint);
  const request = currentRequest()?.request;
  if (idempotency && request) startsByRequest.set(request, (startsByRequest.get(request) ?? 0) + 1);
  return idempotency;
}

/**
 * The key that `idempotencyOfRequest` will return next.
 * @throws ValidationFailed when the header is longer than 255 characters
 */
export function nextIdempotencyOfRequest(fingerprint: Fingerprint): IdempotencyKey | null {
  const request = currentRequest()?.request;
  const header = headerOf(request);
  if (!request || !header) return null;
  if (header.length > MAX_KEY_LENGTH) {
    throw new ValidationFailed([
      { field: 'Idempotency-Key', message: `Idempotency-Key must have at most ${MAX_KEY_LENGTH} characters` },
    ]);
  }
  const start = (startsByRequest.get(request) ?? 0) + 1;
  // Hashed so that any key fits the column and none can collide with those made by `onceKey`.
  return { key: `request:${sha256(`${start}\n${header}`)}`, requestHash: fingerprint(requestText(request)) };
}

/** Whether a job started within the current HTTP request comes with an `Idempotency-Key`. */
export const hasIdempotencyKey = (): boolean => Boolean(headerOf(currentRequest()?.request));

const headerOf = (request: Request | undefined): string | undefined =>
  request?.get('idempotency-key')?.trim();

/** A key made by the caller, e.g. a schedule's name and due time, so that one of several processes starts the job. */
export const onceKey = (key: string): IdempotencyKey => ({ key: `once:${sha256(key)}`, requestHash: null });

/** Method, path with query, and body; the order of the body's fields does not matter. */
export function requestText(request: Pick<Request, 'method' | 'originalUrl' | 'body'>): string {
  return `${request.method}\n${request.originalUrl}\n${canonicalJson(request.body)}`;
}

/** JSON with the fields of every object in alphabetical order. */
export function canonicalJson(value: unknown): string {
  const sortFields = (_key: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part;
  return JSON.stringify(value, sortFields) ?? '';
}
