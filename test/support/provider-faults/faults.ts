import type { SandboxFaultAnswer } from '../../../sandbox/src/sandbox-server';

const QUOTA_TEXT = 'Quota exceeded for quota metric Queries';
const SIGN_IN_PAGE = '<!DOCTYPE html><html><title>Sign in to the network</title><form></form></html>';
const json = (body: string, status = 200): SandboxFaultAnswer => ({
  kind: 'foreign',
  status,
  body,
  contentType: 'application/json; charset=UTF-8',
});
const html = (status: number): SandboxFaultAnswer => ({ kind: 'foreign', status, body: SIGN_IN_PAGE });
const error = (status: number, reason: string, headers: Record<string, string> = {}): SandboxFaultAnswer => ({
  kind: 'error',
  status,
  reason,
  message: QUOTA_TEXT,
  headers,
});

/** Temporary faults: a job continues as if nothing had happened. */
export const PASSING: readonly (readonly [name: string, answer: SandboxFaultAnswer])[] = [
  ['500', { kind: 'backendError' }],
  ['503', { kind: 'unavailable' }],
  ['503 with Retry-After', error(503, 'backendError', { 'Retry-After': '1' })],
  ['502 as HTML', html(502)],
  ['429', { kind: 'rateLimit429' }],
  ['429 with Retry-After', error(429, 'rateLimitExceeded', { 'Retry-After': '1' })],
  ['429 for concurrency', { kind: 'concurrency' }],
  ['403 rateLimitExceeded', { kind: 'rateLimitExceeded' }],
  ['403 userRateLimitExceeded', { kind: 'userRateLimitExceeded' }],
  ['403 with an instant', { kind: 'retryAfter', afterMs: 300 }],
  ['401', { kind: 'unauthorized' }],
  ['an answer that never comes', { kind: 'hang' }],
  ['a body cut in the middle', { kind: 'cut' }],
  ['a connection reset', { kind: 'reset' }],
  ['a body without end', { kind: 'endless' }],
  ['a body that trickles', { kind: 'trickle', delayMs: 50 }],
  ['malformed JSON', json('{"messages": [{"id": "18c2')],
  ['JSON of something else', json('{"status": "ok"}')],
  ['JSON that is no object', json('null')],
  ['HTML with status 200', html(200)],
  ['an empty body', json('')],
];

/** Likewise of single parts of batches. */
export const PARTLY: readonly (readonly [name: string, answer: SandboxFaultAnswer])[] = [
  ['a part that is missing', { kind: 'missing' }],
  ['a part with 500', { kind: 'backendError' }],
  ['a part refused for quota', { kind: 'rateLimit429' }],
  ['a part of malformed JSON', json('{"id": "18')],
  ['a part of something else', json('{"status": "ok"}')],
];

const OF_TOKENS = new Set([
  '500',
  '502 as HTML',
  'an answer that never comes',
  'a body cut in the middle',
  'a connection reset',
  'malformed JSON',
  'JSON of something else',
  'HTML with status 200',
  'an empty body',
]);

/** Temporary faults of the token endpoint. */
export const PASSING_TOKENS = PASSING.filter(([name]) => OF_TOKENS.has(name));

/** Permanent faults, with the code that a job or a route ends with. */
export const LASTING: readonly (readonly [name: string, answer: SandboxFaultAnswer, code: string])[] = [
  ['500', { kind: 'backendError' }, 'provider-unavailable'],
  ['HTML with status 200', html(200), 'provider-unavailable'],
  ['an answer that never comes', { kind: 'hang' }, 'provider-unavailable'],
  ['401 although the token is new', { kind: 'unauthorized' }, 'provider-unavailable'],
  ['403 insufficientPermissions', { kind: 'insufficientPermissions' }, 'provider-rejected'],
];

/** Faults after the change was applied, which do not reveal that it was. */
export const LOST_ANSWERS: readonly SandboxFaultAnswer[] = [
  { kind: 'backendError' },
  html(200),
  { kind: 'reset' },
];

/** Fewer than the attempts the gateway makes of one call. */
const AT_ONCE = 6;

/** One of each sort, and those that once were taken for an empty mailbox. */
const SAMPLE = new Set([
  '500',
  '429',
  '403 with an instant',
  '401',
  '401 although the token is new',
  'a connection reset',
  'a body that trickles',
  'HTML with status 200',
  'an empty body',
]);

/** The faults of the sample; all of them with FAULTS=all or FAULTS=each. */
export const someOf = <T extends readonly [name: string, ...unknown[]]>(
  faults: readonly T[],
): readonly T[] => (process.env.FAULTS ? faults : faults.filter(([name]) => SAMPLE.has(name)));

/** Faults that strike one after the other: a run for several of them, or for each with FAULTS=each. */
export function inGroups(
  faults: readonly (readonly [name: string, answer: SandboxFaultAnswer])[],
): [names: string, answers: SandboxFaultAnswer[]][] {
  const size = process.env.FAULTS === 'each' ? 1 : AT_ONCE;
  const groups: [string, SandboxFaultAnswer[]][] = [];
  for (let at = 0; at < faults.length; at += size) {
    const group = faults.slice(at, at + size);
    groups.push([group.map(([name]) => name).join('; '), group.map(([, answer]) => answer)]);
  }
  return groups;
}

/** Cases that do not touch each other, on mailboxes of their own, in one run; in a run for each with FAULTS=each. */
export function atOnce<T extends readonly [name: string, ...unknown[]]>(
  cases: readonly T[],
): [names: string, cases: readonly T[]][] {
  if (process.env.FAULTS === 'each') return cases.map((one) => [one[0], [one]]);
  return [[cases.map(([name]) => name).join('; '), cases]];
}
