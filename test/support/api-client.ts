import supertest from 'supertest';
import { checkDocumented } from './openapi/expect-documented';

export interface ApiAnswer<T = any> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when the answer is JSON (problem documents included), else undefined. */
  readonly body: T;
  readonly bytes: Buffer;
}

export interface ApiRequest {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** A thin HTTP client: whatever the service answers comes back as it is, redirects included. */
export class ApiClient {
  constructor(
    /** A test that outlives the process of this address replaces it. */
    public baseUrl: string,
    /** The access token of the session; a test that outlives it signs in again and replaces it. */
    public token: string | null,
  ) {}

  get<T = any>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    return this.send('GET', path, request);
  }

  post<T = any>(path: string, body?: unknown, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    return this.send('POST', path, { ...request, body });
  }

  put<T = any>(path: string, body?: unknown, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    return this.send('PUT', path, { ...request, body });
  }

  patch<T = any>(path: string, body?: unknown, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    return this.send('PATCH', path, { ...request, body });
  }

  delete<T = any>(path: string, request: ApiRequest = {}): Promise<ApiAnswer<T>> {
    return this.send('DELETE', path, request);
  }

  /** The raw response, for streams. Redirects are not followed. */
  fetch(method: string, path: string, request: ApiRequest = {}): Promise<Response> {
    return fetch(new URL(path, this.nextBaseUrl()), {
      method,
      redirect: 'manual',
      signal: request.signal,
      headers: this.headersOf(request),
      body: bodyText(request.body),
    });
  }

  protected async send<T>(method: string, path: string, request: ApiRequest): Promise<ApiAnswer<T>> {
    const { origin, pathname, search } = new URL(path, this.nextBaseUrl());
    const agent = supertest(origin) as unknown as Record<string, (target: string) => supertest.Test>;
    const call = agent[method.toLowerCase()]!(`${pathname}${search}`)
      .redirects(0)
      .ok(() => true)
      .set(this.headersOf(request))
      .buffer(true)
      .parse(readBytes);
    const text = bodyText(request.body);
    const response = await abortable(text === undefined ? call : call.send(text), request.signal);
    const bytes = Buffer.isBuffer(response.body) ? response.body : Buffer.alloc(0);
    const headers = new Headers();
    for (const [name, value] of Object.entries(response.headers as Record<string, string | string[]>))
      for (const each of [value].flat()) headers.append(name, each);
    const contentType = headers.get('content-type') ?? undefined;
    const isJson = /\bjson\b/.test(contentType ?? '');
    const body = (isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined) as T;
    checkDocumented(method, path, { status: response.status, contentType, body });
    return { status: response.status, headers, body, bytes };
  }

  /** The base address of the next request. */
  protected nextBaseUrl(): string {
    return this.baseUrl;
  }

  private headersOf({ body, headers }: ApiRequest): Record<string, string> {
    return {
      ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
  }
}

const bodyText = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body);

/** Every byte as it comes, whatever the media type. */
function readBytes(response: supertest.Response, done: (error: Error | null, bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
  stream.on('error', (error: Error) => done(error, Buffer.alloc(0)));
}

/** @throws the signal's reason as soon as it is aborted */
function abortable(call: supertest.Test, signal: AbortSignal | undefined): Promise<supertest.Response> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    signal?.addEventListener(
      'abort',
      () => {
        call.abort();
        reject(signal.reason as Error);
      },
      { once: true },
    );
    call.then(resolve, reject);
  });
}
