import { Agent, IncomingHttpHeaders, IncomingMessage, request as httpRequest } from 'node:http';

/** A request as it goes over the wire: nothing is normalised, completed or checked. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Parsed when it is JSON, else undefined. */
  readonly body: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Makes a request; of an event stream, which would never end, only the head is read. */
export async function exchange(baseUrl: string, wire: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({
      agent,
      hostname,
      port,
      method: wire.method,
      path: wire.target,
      headers: {
        ...(wire.body ? { 'content-length': String(wire.body.length) } : {}),
        ...wire.headers,
      } as Record<string, string>,
    });
    request.once('response', resolve);
    request.once('error', reject);
    request.end(wire.body);
  });
  const { statusCode: status = 0, headers } = answer;
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    answer.destroy();
    return { status, headers, bytes: Buffer.alloc(0), body: undefined };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const body: unknown = /json/.test(type) && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
  return { status, headers, bytes, body };
}

/** Ends connections that are kept open, so that nothing waits for them. */
export function closeConnections(): void {
  agent.destroy();
}
