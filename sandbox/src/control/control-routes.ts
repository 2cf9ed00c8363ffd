import { ApiError } from '../http/api-error';
import type { ApiAnswer, ApiRequest } from '../http/api-message';
import { jsonBody } from '../gmail/gmail-call';
import type { SandboxState } from '../sandbox-state';
import type { SandboxFault, SandboxFaultAnswer, SandboxLiveOptions, SandboxQuota } from '../types';

const ANSWER_KINDS: Record<SandboxFaultAnswer['kind'], true> = {
  concurrency: true,
  rateLimit429: true,
  rateLimitExceeded: true,
  userRateLimitExceeded: true,
  retryAfter: true,
  dailyLimitExceeded: true,
  insufficientPermissions: true,
  unauthorized: true,
  backendError: true,
  unavailable: true,
  error: true,
  hang: true,
  cut: true,
  reset: true,
  slow: true,
  trickle: true,
  endless: true,
  foreign: true,
  missing: true,
  foldTwin: true,
  addFields: true,
  addMessageId: true,
  alterBytes: true,
  invalidGrant: true,
  expireAccessTokens: true,
};

/** The simulator's own routes, for tests in another process; undefined for any other path. */
export function answerControl(request: ApiRequest, state: SandboxState): ApiAnswer | undefined {
  if (!request.path.startsWith('/sandbox/')) return undefined;
  switch (`${request.method} ${request.path}`) {
    case 'GET /sandbox/stats':
      return { status: 200, json: state.stats.snapshot() };
    case 'POST /sandbox/stats/reset':
      state.stats.reset();
      return { status: 204 };
    case 'POST /sandbox/faults':
      addFault(state, readFault(jsonBody(request)));
      return { status: 204 };
    case 'DELETE /sandbox/faults':
      state.faults.clear();
      return { status: 204 };
    case 'GET /sandbox/options':
      return { status: 200, json: state.live };
    case 'PATCH /sandbox/options':
      patchOptions(state, jsonBody(request));
      return { status: 200, json: state.live };
    default:
      throw new ApiError(404, 'notFound', `No control route ${request.method} ${request.path}`);
  }
}

/** Queues a fault, or makes the access tokens expire at once. */
export function addFault(state: SandboxState, fault: SandboxFault): void {
  if (fault.answer.kind === 'expireAccessTokens') state.grants.expireAccessTokens();
  else
    state.faults.add(
      fault.answer.kind === 'invalidGrant' ? { ...fault, endpoint: fault.endpoint ?? 'oauth.token' } : fault,
    );
}

function readFault(body: Record<string, unknown>): SandboxFault {
  const answer = body.answer as
    | { kind?: unknown; afterMs?: unknown; delayMs?: unknown; status?: unknown; body?: unknown }
    | undefined;
  if (typeof answer?.kind !== 'string' || !Object.hasOwn(ANSWER_KINDS, answer.kind)) {
    throw ApiError.invalidArgument(`answer.kind must be one of ${Object.keys(ANSWER_KINDS).join(', ')}`);
  }
  const required =
    { retryAfter: answer.afterMs, slow: answer.delayMs, trickle: answer.delayMs, error: answer.status }[
      answer.kind
    ] ?? 0;
  if (typeof required !== 'number')
    throw ApiError.invalidArgument(`answer of kind ${answer.kind} lacks its number`);
  if (answer.kind === 'foreign' && typeof answer.body !== 'string')
    throw ApiError.invalidArgument('answer of kind foreign lacks its body');
  if (body.times !== undefined && body.times !== 'always' && typeof body.times !== 'number') {
    throw ApiError.invalidArgument("times must be a number or 'always'");
  }
  return body as unknown as SandboxFault;
}

function patchOptions({ live, quota }: SandboxState, body: Record<string, unknown>): void {
  if (body.latencyMs !== undefined) live.latencyMs = positive(body.latencyMs, 'latencyMs') ?? 0;
  if (body.maxConcurrentRequests !== undefined) {
    live.maxConcurrentRequests = positive(body.maxConcurrentRequests, 'maxConcurrentRequests');
  }
  if (body.quota !== undefined) {
    live.quota = readQuota(body.quota);
    quota.reset();
  }
}

function readQuota(value: unknown): SandboxQuota | null {
  if (value === null) return null;
  const { unitsPerSecond, unitsPerMinute, answer } = value as Record<string, unknown>;
  const perSecond = positive(unitsPerSecond ?? null, 'quota.unitsPerSecond');
  const perMinute = positive(unitsPerMinute ?? null, 'quota.unitsPerMinute');
  return {
    ...(perSecond === null ? {} : { unitsPerSecond: perSecond }),
    ...(perMinute === null ? {} : { unitsPerMinute: perMinute }),
    ...(answer === '429' || answer === '403' || answer === 'alternate' ? { answer } : {}),
  };
}

function positive(value: unknown, name: string): SandboxLiveOptions['maxConcurrentRequests'] {
  if (value === null) return null;
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value;
  throw ApiError.invalidArgument(`${name} must be a number that is not negative, or null`);
}
