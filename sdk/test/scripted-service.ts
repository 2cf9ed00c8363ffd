import { createMailroom, type Mailroom, type MailroomOptions } from '../src/index';

/** What the scripted service says to one request; a function may wait, or look at the request. */
export type Reply = Response | (() => Response | Promise<Response>);

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const problem = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  new Response(
    JSON.stringify({
      type: `urn:mailroom:problem:${code}`,
      title: 'T',
      status,
      detail: 'D.',
      code,
      requestId: 'r-1',
    }),
    { status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

/** An event stream of these texts, which then ends; with an error it breaks instead. */
export function stream(texts: readonly string[], error?: Error): Response {
  const encoder = new TextEncoder();
  const left = [...texts];
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const text = left.shift();
      if (text !== undefined) controller.enqueue(encoder.encode(text));
      else if (error) {
        // What was sent before has been read by then: an error discards what has not.
        await new Promise((resolve) => setTimeout(resolve, 10));
        controller.error(error);
      } else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** A client of a service that answers as it is told, request by request. */
export class ScriptedService {
  readonly requests: Request[] = [];
  private readonly replies = new Map<string, Reply[]>();

  /** The next requests of this method and path are answered so, the last reply again and again. */
  on(what: string, ...replies: Reply[]): this {
    this.replies.set(what, replies);
    return this;
  }

  client(options: Partial<MailroomOptions> = {}): Mailroom {
    return createMailroom({
      baseUrl: 'https://mail.test',
      fetch: (request) => this.answer(request),
      credentials: { apiKey: 'mrk_test' },
      ...options,
    });
  }

  /** Requests to this method and path. */
  of(what: string): Request[] {
    return this.requests.filter((request) => nameOf(request) === what);
  }

  private async answer(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    this.requests.push(request);
    const replies = this.replies.get(nameOf(request));
    const reply = replies && (replies.length > 1 ? replies.shift() : replies[0]);
    if (!reply) throw new Error(`Nobody said what ${nameOf(request)} answers`);
    const response = typeof reply === 'function' ? await reply() : reply.clone();
    // As with `fetch`, the body ends with the request's signal.
    const body = response.body?.pipeThrough(new TransformStream(), { signal: request.signal }) ?? null;
    return new Response(body, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  }
}

const nameOf = (request: Request): string => `${request.method} ${new URL(request.url).pathname}`;
