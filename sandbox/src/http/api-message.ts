/** A request to the simulator: an HTTP request, or a part of a batch. */
export interface ApiRequest {
  readonly method: string;
  /** The path without the query; still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Without `json`, `text` and `bytes` the body is empty. */
  readonly json?: unknown;
  /** Sent as HTML. */
  readonly text?: string;
  /** Sent unchanged, with the content type in `headers`. */
  readonly bytes?: Buffer;
  /** The disturbance on the wire. */
  readonly transport?:
    | { readonly kind: 'hang' | 'cut' | 'reset' | 'endless' | 'missing' }
    | { readonly kind: 'slow' | 'trickle'; readonly delayMs: number };
}

/** Splits a request target into path and query. */
export function parseTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?');
  if (mark < 0) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
}

/** The answer's body with its content type, when it has one. */
export function serialize(answer: ApiAnswer): { body: Buffer; contentType: string | undefined } {
  if (answer.json !== undefined) {
    return { body: Buffer.from(JSON.stringify(answer.json)), contentType: 'application/json; charset=UTF-8' };
  }
  if (answer.text !== undefined)
    return { body: Buffer.from(answer.text), contentType: 'text/html; charset=UTF-8' };
  return { body: answer.bytes ?? Buffer.alloc(0), contentType: undefined };
}
