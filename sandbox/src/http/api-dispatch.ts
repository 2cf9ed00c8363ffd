import { setTimeout as delay } from 'node:timers/promises';
import { faultError, foreignAnswer } from '../control/fault-list';
import type { GmailCall, Scope } from '../gmail/gmail-call';
import type { SandboxState } from '../sandbox-state';
import type { SandboxFault } from '../types';
import { ApiError } from './api-error';
import type { ApiAnswer, ApiRequest } from './api-message';
import { batchAnswer, parseBatch } from './batch';
import { applyFields, parseFields, type FieldsMask } from './fields-mask';
import { matchRoute, type RouteMatch } from './gmail-router';

const NOT_FOUND: ApiAnswer = {
  status: 404,
  text: '<!DOCTYPE html><title>Error 404 (Not Found)</title><p>The requested URL was not found on this server.</p>',
};

interface AdmittedCall extends GmailCall {
  readonly mask: FieldsMask | undefined;
}

/** A call that has passed, or failed, everything that happens on its arrival. */
interface Arrival {
  /** Runs the handler, or gives the refusal. */
  finish(): Promise<ApiAnswer>;
  /** Ends the call's time in flight. */
  leave(): void;
}

/** Answers an API call: arrival (counted, admitted or refused), latency, handler. */
export async function answerCall(request: ApiRequest, state: SandboxState): Promise<ApiAnswer> {
  const arrival = arrive(request, state);
  try {
    await latency(state);
    return await arrival.finish();
  } finally {
    arrival.leave();
  }
}

/** Answers a batch: all parts arrive at once and each is in flight until the batch is answered. */
export async function answerBatch(request: ApiRequest, state: SandboxState): Promise<ApiAnswer> {
  state.stats.count('batch', 0);
  const fault = state.faults.take({ endpoint: 'batch', messageId: undefined, email: undefined });
  const refusal = fault === undefined ? undefined : faultError(fault.answer);
  if (refusal !== undefined) {
    await latency(state);
    return errorAnswer(refusal);
  }
  const foreign = foreignAnswer(fault?.answer);
  if (foreign !== undefined) return foreign;
  let parts;
  try {
    parts = parseBatch(request);
  } catch (error) {
    return errorAnswer(error);
  }
  const arrivals = parts.map((part) => arrive(part.request, state));
  try {
    await latency(state);
    const answers = await Promise.all(arrivals.map((arrival) => arrival.finish()));
    for (const answer of answers) state.stats.recordAnswer(answer.status);
    const present = answers.map((answer) => answer.transport?.kind !== 'missing');
    // A part cannot break the connection on its own: its fault breaks the batch.
    const broken = answers.find((answer, at) => present[at] && answer.transport !== undefined)?.transport;
    const whole = batchAnswer(
      parts.filter((_, at) => present[at]),
      answers.filter((_, at) => present[at]),
    );
    return withTransport(whole, broken ?? transportOf(fault));
  } finally {
    for (const arrival of arrivals) arrival.leave();
  }
}

async function latency(state: SandboxState): Promise<void> {
  if (state.live.latencyMs > 0) await delay(state.live.latencyMs);
}

function arrive(request: ApiRequest, state: SandboxState): Arrival {
  const match = matchRoute(request.method, request.path);
  if (match === undefined) return { finish: async () => NOT_FOUND, leave: () => undefined };
  const { stats } = state;
  const { endpoint } = match.route;
  stats.count(endpoint, 0);
  stats.enter();
  let email: string | undefined;
  try {
    const claims = state.grants.authenticate(bearerOf(request));
    if (claims === undefined) throw ApiError.unauthenticated();
    email = claims.email;
    stats.attribute(email, endpoint);
    state.inFlight.set(email, (state.inFlight.get(email) ?? 0) + 1);
    const fault = state.faults.take({ endpoint, messageId: match.params.id, email });
    const call = admit(request, match, fault, { email, scope: claims.scope }, state);
    return { finish: () => finish(match, call, fault), leave: () => leave(state, email) };
  } catch (error) {
    return { finish: async () => errorAnswer(error), leave: () => leave(state, email) };
  }
}

function leave(state: SandboxState, email: string | undefined): void {
  state.stats.leave();
  if (email !== undefined) state.inFlight.set(email, (state.inFlight.get(email) ?? 1) - 1);
}

/** Throws the refusal, or charges the call. */
function admit(
  request: ApiRequest,
  match: RouteMatch,
  fault: SandboxFault | undefined,
  user: { email: string; scope: string },
  state: SandboxState,
): AdmittedCall {
  const { stats, live } = state;
  const refusal = fault?.afterApplying === true ? undefined : fault && faultError(fault.answer);
  if (refusal !== undefined) throw refusal;
  if ((state.inFlight.get(user.email) ?? 0) > (live.maxConcurrentRequests ?? Infinity)) {
    stats.refused++;
    throw ApiError.tooManyConcurrentRequests();
  }
  const units = state.unitCosts[match.route.endpoint] ?? 5;
  const overQuota = state.quota.charge(user.email, units, live.quota);
  if (overQuota !== undefined) {
    stats.refused++;
    throw overQuota;
  }
  stats.charge(match.route.endpoint, units);
  if (match.user !== 'me' && match.user.toLowerCase() !== user.email) {
    throw new ApiError(403, 'forbidden', `Delegation denied for ${user.email}`);
  }
  const scopes = scopesOf(user.scope);
  if (!match.route.scopes.some((scope) => scopes.has(scope))) throw ApiError.insufficientScopes();
  const fields = request.query.get('fields');
  const mask = fields === null || fields === '' ? undefined : parseFields(fields);
  return {
    mailbox: state.mailboxes.get(user.email),
    params: match.params,
    request,
    scopes,
    now: state.now(),
    ...(fault === undefined ? {} : { oddity: fault.answer.kind }),
    mask,
    wants: (key) => mask === undefined || mask.has(key) || mask.has('*'),
  };
}

async function finish(
  match: RouteMatch,
  call: AdmittedCall,
  fault: SandboxFault | undefined,
): Promise<ApiAnswer> {
  try {
    const foreign = foreignAnswer(fault?.answer);
    if (foreign !== undefined && fault?.afterApplying !== true) return foreign;
    const answer = await match.route.handle(call);
    if (foreign !== undefined) return foreign;
    const late = fault?.afterApplying === true ? faultError(fault.answer) : undefined;
    if (late !== undefined) throw late;
    const masked =
      call.mask === undefined || answer.json === undefined
        ? answer
        : { ...answer, json: applyFields(answer.json, call.mask) };
    return withTransport(masked, transportOf(fault));
  } catch (error) {
    return errorAnswer(error);
  }
}

/** The effect of a fault on the wire; undefined for faults that answer. */
export function transportOf(fault: SandboxFault | undefined): ApiAnswer['transport'] {
  switch (fault?.answer.kind) {
    case 'hang':
    case 'cut':
    case 'reset':
    case 'endless':
    case 'missing':
    case 'slow':
    case 'trickle':
      return fault.answer;
    default:
      return undefined;
  }
}

function withTransport(answer: ApiAnswer, transport: ApiAnswer['transport']): ApiAnswer {
  return transport === undefined ? answer : { ...answer, transport };
}

/** The error in Google's shape; a bug of the simulator is shown as what it is. */
export function errorAnswer(error: unknown): ApiAnswer {
  if (error instanceof ApiError) return { status: error.status, headers: error.headers, json: error.body() };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return errorAnswer(new ApiError(500, 'sandboxFailure', `The sandbox failed: ${message}`));
}

function bearerOf(request: ApiRequest): string {
  return (
    /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ??
    request.query.get('access_token') ??
    ''
  );
}

function scopesOf(scope: string): ReadonlySet<Scope> {
  const scopes = new Set<Scope>();
  for (const url of scope.split(' ')) {
    if (url === 'https://mail.google.com/') scopes.add('full');
    const name =
      /^https:\/\/www\.googleapis\.com\/auth\/gmail\.(modify|readonly|metadata|insert|labels)$/.exec(
        url,
      )?.[1];
    if (name !== undefined) scopes.add(name as Scope);
  }
  return scopes;
}
