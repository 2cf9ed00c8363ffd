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

/** A thin HTTP client: whatever the service answers comes back as it is. */
export class ApiClient {
  constructor(
    /** Whoever outlives the process it is of replaces it. */
    public baseUrl: string,
    /** Of the session; whoever outlives it signs in again and replaces it. */
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
    const hasBody = request.body !== undefined;
    return fetch(new URL(path, this.baseUrl), {
      method,
      redirect: 'manual',
      signal: request.signal,
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
        ...request.headers,
      },
      body: hasBody
        ? typeof request.body === 'string'
          ? request.body
          : JSON.stringify(request.body)
        : undefined,
    });
  }

  protected async send<T>(method: string, path: string, request: ApiRequest): Promise<ApiAnswer<T>> {
    const response = await this.fetch(method, path, request);
    const bytes = Buffer.from(await response.arrayBuffer());
    const contentType = response.headers.get('content-type') ?? undefined;
    const isJson = /json/.test(contentType ?? '');
    const body = (isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined) as T;
    checkDocumented(method, path, { status: response.status, contentType, body });
    return { status: response.status, headers: response.headers, body, bytes };
  }
}
