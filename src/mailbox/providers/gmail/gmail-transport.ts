import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import * as http from 'node:http';
import * as https from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppConfig } from '../../../config/app-config';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** Absolute; its origin must be one of the configured ones. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  /** Told about every piece of the body as it arrives. */
  readonly onBytes?: (bytes: number) => void;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  /** Decompressed. */
  readonly body: Buffer;
}

/** A raw message of the largest size the provider accepts (150 MB), in base64, with room to spare. */
const MAX_ANSWER_BYTES = 256 * 1024 ** 2;
/** More than the calls in flight of any sensible number of accounts. */
const MAX_SOCKETS = 256;

const inflate = promisify(gunzip);

/**
 * HTTP to the configured hosts and no other: whoever overrides the root URL can be sure that nothing leaves for
 * the real provider, whatever a client library believes its address to be. Keeps connections open.
 */
@Injectable()
export class GmailTransport implements OnApplicationShutdown {
  private readonly origins: ReadonlySet<string>;
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 64 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, maxFreeSockets: 64 }),
  };

  constructor(config: AppConfig) {
    const { rootUrl, tokenUrl, revokeUrl } = config.gmail;
    this.origins = new Set([rootUrl, tokenUrl, revokeUrl].map((url) => new URL(url).origin));
  }

  /**
   * One request, any status. Never retried, but for a kept connection that turned out to be closed.
   * @throws the network's error; the signal's reason when it aborts
   */
  async request(request: HttpRequest): Promise<HttpAnswer> {
    try {
      return await this.send(request);
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error;
      return this.send(request);
    }
  }

  /** The same as a `fetch` for client libraries that let theirs be replaced. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (init.body != null && typeof init.body !== 'string')
      throw new TypeError('Only text bodies can be sent');
    const answer = await this.request({
      method: (init.method ?? 'GET') as HttpRequest['method'],
      url: input instanceof Request ? input.url : input.toString(),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body ?? undefined,
      signal: init.signal ?? undefined,
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

  private async send(request: HttpRequest): Promise<HttpAnswer> {
    const url = new URL(request.url);
    if (!this.origins.has(url.origin))
      throw new Error(`Refusing to call ${url.origin}: it is not configured`);
    const { response, body } = await this.exchange(url, request);
    const gzipped = response.headers['content-encoding'] === 'gzip';
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: gzipped ? await inflate(body, { maxOutputLength: MAX_ANSWER_BYTES }) : body,
    };
  }

  private exchange(
    url: URL,
    request: HttpRequest,
  ): Promise<{ response: http.IncomingMessage; body: Buffer }> {
    return new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal?.aborted) return reject(signal.reason as Error);
      const secure = url.protocol === 'https:';
      const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
      const outgoing = (secure ? https : http).request(url, {
        method: request.method,
        agent: this.agents[secure ? 'https:' : 'http:'],
        headers: { ...request.headers, ...(body && { 'content-length': String(body.length) }) },
      });
      const onAbort = () => outgoing.destroy(signal!.reason as Error);
      const settled = () => signal?.removeEventListener('abort', onAbort);
      let answered = false;
      const fail = (error: Error) => {
        settled();
        const stale =
          !answered && outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
        reject(signal?.aborted ? (signal.reason as Error) : stale ? new StaleConnection() : error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        answered = true;
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length > MAX_ANSWER_BYTES) outgoing.destroy(new Error('The answer is too large'));
          request.onBytes?.(chunk.length);
          chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('end', () => {
          settled();
          // A connection cut in the middle also ends the stream.
          if (!response.complete) return reject(new Error('The connection broke off'));
          resolve({ response, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length) });
        });
      });
      outgoing.end(body);
    });
  }
}

/** The server had closed the kept connection before the request reached it. */
class StaleConnection extends Error {}
