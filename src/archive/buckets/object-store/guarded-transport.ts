import { AsyncLocalStorage } from 'node:async_hooks';
import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import type { EgressGuard } from '../../../platform/egress/egress-guard';
import { ObjectStoreAnswer, ObjectStoreProtocolError, ObjectStoreTimeout } from './object-store-failure';
import { setTimeout } from '../../../platform/concurrency/timers';

/** Requests to one store at a time, streamed responses included; further ones wait. */
const MAX_CALLS = 32;
const MAX_STREAMS = 64;
const MAX_IDLE_SOCKETS = 16;
const IDLE_SOCKET_MS = 15_000;
const TURN_MS = 60_000;
const CONNECT_MS = 5_000;
/** The slowest upload allowed. */
const BYTES_PER_MS = 64;
/** Most bytes of a response in memory; a listing of a thousand keys of maximum length is far below. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const MAX_RETRY_AFTER_S = 60;

export interface CallLimits {
  /** Time limit from the connection to the whole response, or to its head if it is streamed; the time of the upload is added. */
  readonly answerMs: number;
  readonly signal?: AbortSignal;
  /** Whether the body of the response is streamed. */
  readonly streamed?: boolean;
}

type Send = (options: https.RequestOptions) => http.ClientRequest;

/**
 * The network access of the store's client: checked addresses only, limited waits, no redirects, and error responses as
 * errors without their body.
 */
export class GuardedTransport {
  private readonly limits = new AsyncLocalStorage<CallLimits>();
  private readonly calls: http.Agent;
  private readonly streams: http.Agent;
  private readonly send: Send;

  constructor(
    private readonly guard: EgressGuard,
    /** Owner of the store. */
    private readonly userId: string,
    readonly secure: boolean,
  ) {
    const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_SOCKETS, timeout: IDLE_SOCKET_MS };
    const create = (maxSockets: number): http.Agent =>
      secure ? new https.Agent({ ...options, maxSockets }) : new http.Agent({ ...options, maxSockets });
    this.calls = create(MAX_CALLS);
    this.streams = create(MAX_STREAMS);
    this.send = secure ? https.request : http.request;
  }

  /** Applies these limits to the requests of `work`. */
  within<T>(limits: CallLimits, work: () => Promise<T>): Promise<T> {
    return this.limits.run(limits, work);
  }

  /** Ends every connection. */
  close(): void {
    this.calls.destroy();
    this.streams.destroy();
  }

  /** The client library calls this instead of `http.request`. */
  readonly request = (
    options: https.RequestOptions,
    onAnswer: (answer: http.IncomingMessage) => void,
  ): http.ClientRequest => {
    const limits = this.limits.getStore();
    if (!limits) throw new Error('A request to an object store has no limits.');
    this.guard.checkLiteral(options.host ?? '');
    const request = this.send({
      ...options,
      agent: limits.streamed ? this.streams : this.calls,
      lookup: this.guard.createLookup(this.userId),
      signal: limits.signal,
    });
    const uploadMs =
      Number((options.headers as Record<string, string>)['content-length'] ?? 0) / BYTES_PER_MS;
    const stopTimer = limitPhases(request, this.secure, limits.answerMs + uploadMs);
    request.prependListener('error', (error: NodeJS.ErrnoException) => {
      // The rest of an earlier response on the connection, or its end, is not a failure of this request.
      if (request.reusedSocket && error.code?.startsWith('HPE_')) error.code = 'ECONNRESET';
    });
    request.on('response', (answer) => {
      const success = answer.statusCode === 200 || answer.statusCode === 206;
      if (limits.streamed && success) {
        stopTimer();
        return onAnswer(answer);
      }
      readAll(answer)
        .then((body) => {
          if (answer.statusCode! < 200 || answer.statusCode! > 299) throw describeAnswer(answer, body);
          return replay(answer, body);
        })
        .then(onAnswer, (error: unknown) => request.emit('error', error))
        .finally(stopTimer);
    });
    return request;
  };
}

/** Destroys the request when it waits too long: for its turn, the connection or the response. @returns stops the timer */
function limitPhases(request: http.ClientRequest, secure: boolean, answerMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const allow = (milliseconds: number, phase: string): void => {
    stop();
    timer = setTimeout(() => request.destroy(new ObjectStoreTimeout(phase)), milliseconds);
  };
  allow(TURN_MS, 'turn');
  request.on('socket', (socket) => {
    if (!socket.connecting) return allow(answerMs, 'answer');
    allow(CONNECT_MS, 'connection');
    socket.once(secure ? 'secureConnect' : 'connect', () => allow(answerMs, 'answer'));
  });
  request.on('close', stop);
  return stop;
}

async function readAll(answer: http.IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new ObjectStoreProtocolError('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function describeAnswer(answer: http.IncomingMessage, body: Buffer): ObjectStoreAnswer {
  const xml = body.subarray(0, 16_384).toString('latin1');
  const code = /<Code>\s*([A-Za-z0-9]{1,64})\s*<\/Code>/.exec(xml)?.[1] ?? '';
  const region = /<Region>\s*([a-z0-9-]{1,32})\s*<\/Region>/.exec(xml)?.[1] ?? '';
  const seconds = Number(answer.headers['retry-after'] ?? 0);
  const retryAfterMs = seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_S) * 1_000 : 0;
  return new ObjectStoreAnswer(
    answer.statusCode!,
    code,
    region,
    retryAfterMs,
    body.length > 0 && code === '',
  );
}

/** The response with its body in memory. */
function replay(answer: http.IncomingMessage, body: Buffer): http.IncomingMessage {
  const { statusCode, headers } = answer;
  return Object.assign(Readable.from(body.length > 0 ? [body] : [], { objectMode: false }), {
    statusCode,
    headers,
  }) as http.IncomingMessage;
}
