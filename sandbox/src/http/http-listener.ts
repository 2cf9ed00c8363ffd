import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { answerControl } from '../control/control-routes';
import { foreignAnswer } from '../control/fault-list';
import { answerOAuth, oauthError } from '../oauth-routes';
import type { SandboxState } from '../sandbox-state';
import { answerBatch, answerCall, errorAnswer, transportOf } from './api-dispatch';
import { ApiError } from './api-error';
import { parseTarget, serialize, type ApiAnswer, type ApiRequest } from './api-message';

/** Gmail takes 150 MB at `insert` and `import`; base64 and JSON make that 200. */
const MAX_BODY_BYTES = 210 * 1024 * 1024;
const BLANKS = Buffer.alloc(64 * 1024, ' ');
const BATCH_PATHS = new Set(['/batch/gmail/v1', '/batch']);

/** Handles one HTTP request from its first byte to its last. */
export async function handleHttp(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  state: SandboxState,
): Promise<void> {
  const answer = await answerRequest(incoming, state);
  await send(outgoing, answer);
}

async function answerRequest(incoming: IncomingMessage, state: SandboxState): Promise<ApiAnswer> {
  try {
    const request = await readRequest(incoming);
    const control = answerControl(request, state);
    if (control !== undefined) return control;
    if (!isApiPath(request.path)) {
      await delay(state.live.latencyMs);
      return tokenFault(request, state) ?? answerOAuth(request, state) ?? (await answerCall(request, state));
    }
    state.stats.httpRequests++;
    const isBatch = request.method === 'POST' && BATCH_PATHS.has(request.path);
    const answer = await (isBatch ? answerBatch(request, state) : answerCall(request, state));
    state.stats.recordAnswer(answer.status);
    return answer;
  } catch (error) {
    return errorAnswer(error);
  }
}

function isApiPath(path: string): boolean {
  return path.startsWith('/gmail/') || path.startsWith('/upload/gmail/') || path.startsWith('/batch');
}

/** A fault waiting at the token endpoint: `invalid_grant`, or an error of the server. */
function tokenFault(request: ApiRequest, state: SandboxState): ApiAnswer | undefined {
  if (request.path !== '/token') return undefined;
  const fault = state.faults.take({ endpoint: 'oauth.token', messageId: undefined, email: undefined });
  if (fault === undefined) return undefined;
  switch (fault.answer.kind) {
    case 'invalidGrant':
      return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    case 'error':
      return oauthError(fault.answer.status, 'server_error', 'Error');
  }
  const foreign = foreignAnswer(fault.answer);
  if (foreign !== undefined) return foreign;
  const transport = transportOf(fault);
  if (transport !== undefined) return { ...(answerOAuth(request, state) as ApiAnswer), transport };
  return oauthError(503, 'temporarily_unavailable', 'The service is currently unavailable.');
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES)
      throw new ApiError(413, 'uploadTooLarge', 'Request is too large.', { Connection: 'close' });
    chunks.push(chunk);
  }
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return {
    method: incoming.method ?? 'GET',
    ...parseTarget(incoming.url ?? '/'),
    headers,
    body: Buffer.concat(chunks),
  };
}

async function send(outgoing: ServerResponse, answer: ApiAnswer): Promise<void> {
  const { transport } = answer;
  // The client gives up, or the simulator closes.
  if (transport?.kind === 'hang' || transport?.kind === 'missing') return;
  if (transport?.kind === 'reset') {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  if (transport?.kind === 'slow') await delay(transport.delayMs);
  const { body, contentType } = serialize(answer);
  outgoing.statusCode = statusOf(answer);
  outgoing.setHeader('Server', 'ESF');
  outgoing.setHeader('Cache-Control', 'private');
  if (contentType !== undefined) outgoing.setHeader('Content-Type', contentType);
  for (const [name, value] of Object.entries(answer.headers ?? {})) outgoing.setHeader(name, value);
  if (transport?.kind === 'endless') return sendEndlessly(outgoing, body);
  if (transport?.kind === 'trickle')
    return trickle(outgoing, body.length > 0 ? body : BLANKS, transport.delayMs);
  if (answer.status !== 204) outgoing.setHeader('Content-Length', body.length);
  if (transport?.kind === 'cut') {
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
    if (body.length < 2) outgoing.destroy();
    return;
  }
  outgoing.end(body);
}

/**
 * A fault of the body needs a status that has one: Node counts what is written to a 204 as sent, so that nothing would
 * ever slow down what writes without end.
 */
function statusOf({ status, transport }: ApiAnswer): number {
  const ofBody = transport?.kind === 'endless' || transport?.kind === 'trickle';
  return ofBody && status === 204 ? 200 : status;
}

/** The body, then blanks, as fast as the client takes them and until it leaves. */
async function sendEndlessly(outgoing: ServerResponse, body: Buffer): Promise<void> {
  function* chunks(): Generator<Buffer> {
    for (let next = body; ; next = BLANKS) yield next;
  }
  await pipeline(Readable.from(chunks()), outgoing);
}

async function trickle(outgoing: ServerResponse, body: Buffer, delayMs: number): Promise<void> {
  outgoing.setHeader('Content-Length', body.length);
  for (let at = 0; at < body.length && !outgoing.destroyed; at++) {
    outgoing.write(body.subarray(at, at + 1));
    await delay(delayMs);
  }
  outgoing.end();
}
