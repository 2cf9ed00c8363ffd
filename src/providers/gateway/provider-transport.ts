import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppConfig } from '../../platform/config/app-config';

/** Reads the body of an answer as it arrives. */
export interface BodyReader<T> {
  /** Bytes held in memory so far, including those that `end` will need. */
  readonly held: number;
  /** @param length announced length of the whole body @returns bytes that will be held of it */
  expect(length: number): number;
  write(chunk: Buffer): void;
  /** Called once, after the last piece. */
  end(): T;
}

/** Reads the whole body into one buffer. While its pieces are joined it is held twice. */
export class WholeBody implements BodyReader<Buffer> {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  get held(): number {
    return 2 * this.length;
  }

  expect(length: number): number {
    return 2 * length;
  }

  write(chunk: Buffer): void {
    this.length += chunk.length;
    this.chunks.push(chunk);
  }

  end(): Buffer {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.length);
  }
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** Absolute URL; its origin must be one of the configured ones. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body; an array is sent piece by piece. */
  readonly body?: string | Buffer | readonly Buffer[];
  /** False for a request that must not be sent twice, not even when a kept connection turns out to be closed. */
  readonly repeatable?: boolean;
  readonly signal?: AbortSignal;
  /**
   * Called with the bytes held of the answer; where its length is announced, first with the bytes that will be held.
   * Reading goes on once the returned promise resolves.
   */
  readonly reserve?: (bytes: number) => Promise<void> | undefined;
  /** Largest answer in bytes, beyond which the request fails; default: a message of the largest size. */
  readonly maxBytes?: number;
}

export interface HttpAnswerHead {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
}

export interface HttpAnswer<T = Buffer> extends HttpAnswerHead {
  /** Result of the reader, which got the decompressed body. */
  readonly body: T;
}

/** Largest answer: more than the base64 of the largest message that Gmail accepts (150 MB). */
const MAX_ANSWER_BYTES = 256 * 1024 ** 2;
/**
 * Largest answer that the client library reads (ids, labels and changes): some hundred times the usual size. No memory
 * is reserved for it.
 */
const MAX_CLIENT_ANSWER_BYTES = 32 * 1024 ** 2;
/** Limit of sockets, more than the calls in flight of any sensible number of accounts. */
const MAX_SOCKETS = 256;

const INFLATED_CHUNK_BYTES = 64 * 1024;

/**
 * HTTP client that calls the configured hosts and no other. So an overridden root URL guarantees that no request goes
 * to the real provider, whatever address a client library uses. Keeps connections open.
 */
@Injectable()
export class ProviderTransport implements OnApplicationShutdown {
  private readonly origins: ReadonlySet<string>;
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 64 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 64 }),
  };

  constructor(config: AppConfig) {
    const { rootUrl, tokenUrl, revokeUrl } = config.gmail;
    const issuers = config.oauthIssuers.flatMap((issuer) => [
      issuer.tokenUrl,
      issuer.deviceUrl ?? [],
      issuer.revokeUrl ?? [],
    ]);
    this.origins = new Set(
      [rootUrl, tokenUrl, revokeUrl, ...issuers.flat()].map((url) => new URL(url).origin),
    );
  }

  /**
   * Sends one request and returns an answer of any status. Sends it again only when a kept connection turned out to be
   * closed.
   * @throws the network's error; the signal's reason when it aborts
   */
  request(request: HttpRequest): Promise<HttpAnswer> {
    return this.read(request, () => new WholeBody());
  }

  /**
   * Sends one request like `request`, and reads the body as it arrives.
   * @param reader chosen by status and headers
   * @throws also the reader's errors
   */
  async read<T>(
    request: HttpRequest,
    reader: (head: HttpAnswerHead) => BodyReader<T>,
  ): Promise<HttpAnswer<T>> {
    const url = new URL(request.url);
    if (!this.origins.has(url.origin))
      throw new Error(`Refusing to call ${url.origin}: it is not configured`);
    try {
      return await this.exchange(url, request, reader);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.exchange(url, request, reader);
    }
  }

  /** Sends one request with the signature of `fetch`, for client libraries that accept an implementation of it. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (init.body != null && typeof init.body !== 'string')
      throw new TypeError('Only text bodies can be sent');
    const answer = await this.request({
      method: (init.method ?? 'GET') as HttpRequest['method'],
      url: input instanceof Request ? input.url : input.toString(),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body ?? undefined,
      signal: init.signal ?? undefined,
      maxBytes: MAX_CLIENT_ANSWER_BYTES,
    });
    const headers = new Headers({ 'content-type': answer.headers['content-type'] ?? 'application/json' });
    if (answer.headers['retry-after']) headers.set('retry-after', answer.headers['retry-after']);
    const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
    return new Response(empty ? null : answer.body, { status: answer.status, headers });
  };

  onApplicationShutdown(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  private exchange<T>(
    url: URL,
    request: HttpRequest,
    reader: (head: HttpAnswerHead) => BodyReader<T>,
  ): Promise<HttpAnswer<T>> {
    return new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal?.aborted) return reject(signal.reason as Error);
      const secure = url.protocol === 'https:';
      const body = piecesOf(request.body);
      const length = body?.reduce((sum, piece) => sum + piece.length, 0);
      const outgoing = (secure ? https : http).request(url, {
        method: request.method,
        // A request that must not be sent twice gets a new connection: a kept one may have been closed.
        agent: request.repeatable === false ? false : this.agents[secure ? 'https:' : 'http:'],
        headers: { ...request.headers, ...(body && { 'content-length': String(length) }) },
      });
      const onAbort = () => outgoing.destroy(signal!.reason as Error);
      let answered = false;
      let over = false;
      const detach = () => {
        over = true;
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (error: Error) => {
        if (over) return;
        detach();
        outgoing.destroy();
        const stale =
          !answered && outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        reject(signal?.aborted ? (signal.reason as Error) : stale ? new StaleConnection() : error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        answered = true;
        response.on('error', fail);
        const head = { status: response.statusCode ?? 0, headers: response.headers };
        const done = (value: T) => {
          detach();
          resolve({ ...head, body: value });
        };
        receive(response, reader(head), request, done, fail);
      });
      for (const piece of body ?? []) outgoing.write(piece);
      outgoing.end();
    });
  }
}

function piecesOf(body: HttpRequest['body']): readonly Buffer[] | undefined {
  if (typeof body === 'string') return [Buffer.from(body)];
  return Buffer.isBuffer(body) ? [body] : body;
}

/** Feeds an answer to its reader, no faster than memory is reserved for it. */
function receive<T>(
  response: http.IncomingMessage,
  reader: BodyReader<T>,
  { reserve, maxBytes = MAX_ANSWER_BYTES }: HttpRequest,
  done: (value: T) => void,
  fail: (error: Error) => void,
): void {
  const gzipped = response.headers['content-encoding'] === 'gzip';
  const body: Readable = gzipped
    ? pipeline(response, createGunzip({ chunkSize: INFLATED_CHUNK_BYTES }), (error) => error && fail(error))
    : response;
  let arrived = 0;
  let room: Promise<void> | undefined;
  const attempt = (step: () => void) => {
    try {
      step();
    } catch (error) {
      fail(error as Error);
    }
  };
  const waitFor = (wait: Promise<void>) => {
    body.pause();
    room = wait.then(() => {
      room = undefined;
      body.resume();
    }, fail);
  };
  const take = (chunk: Buffer) => {
    arrived += chunk.length;
    if (arrived > maxBytes) throw new Error('The answer is too large');
    reader.write(chunk);
    const wait = reserve?.(reader.held);
    if (wait) waitFor(wait);
  };
  const end = () => {
    // A connection cut in the middle also ends the stream.
    if (!response.complete) throw new Error('The connection broke off');
    done(reader.end());
  };
  body.on('data', (chunk: Buffer) => attempt(() => take(chunk)));
  body.on('end', () => void (room ?? Promise.resolve()).then(() => attempt(end)));
  // A compressed length says too little about the bytes that will be held.
  const length = gzipped ? 0 : Number(response.headers['content-length'] ?? 0);
  const wait = length > 0 ? reserve?.(reader.expect(length)) : undefined;
  if (wait) waitFor(wait);
}

/** The server had closed the kept connection before the request reached it. */
class StaleConnection extends Error {}
