import { createHmac } from 'node:crypto';
import { createServer, IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The time by `performance.now()`. */
  readonly at: number;
}

/** Handles a request; it may answer later, or never. */
export type Reaction = (response: ServerResponse, request: ReceivedRequest) => void;

/** Answers with a status and no more. */
export const answer =
  (status: number, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    void response.writeHead(status, headers).end();

/**
 * A customer's server for webhooks: it records the requests on every path, and reacts as set for the path. It knows only
 * the contract of the service.
 */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  private readonly reactions = new Map<string, Reaction>();
  private readonly open = new Map<string, number>();
  private readonly most = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => receiver.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Makes `path` behave so from now on; by default it answers 204. @returns its address */
  on(path: string, reaction: Reaction): string {
    this.reactions.set(path, reaction);
    return this.url(path);
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** The requests to the path, in order. */
  at(path: string): ReceivedRequest[] {
    return this.received.filter((request) => request.path === path);
  }

  /** The largest number of simultaneous requests to paths with this prefix. */
  mostOpen(prefix: string): number {
    return this.most.get(prefix) ?? 0;
  }

  /** Begins to count open requests of paths with this beginning. */
  countOpen(prefix: string): void {
    this.open.set(prefix, 0);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url!;
    const chunks: Buffer[] = [];
    this.count(path, 1);
    response.once('close', () => this.count(path, -1));
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const received = { path, headers, body: Buffer.concat(chunks), at: performance.now() };
      this.received.push(received);
      (this.reactions.get(path) ?? answer(204))(response, received);
    });
  }

  private count(path: string, change: number): void {
    for (const [prefix, open] of this.open) {
      if (!path.startsWith(prefix)) continue;
      this.open.set(prefix, open + change);
      this.most.set(prefix, Math.max(this.mostOpen(prefix), open + change));
    }
  }
}

/** Tells whether the contract's signature and that of Standard Webhooks match the bytes. */
export function isSigned({ headers, body }: ReceivedRequest, secret: string): boolean {
  const contract = createHmac('sha256', secret).update(body).digest('hex');
  const standard = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body.toString()}`)
    .digest('base64');
  return headers['x-webhook-signature'] === contract && headers['webhook-signature'] === `v1,${standard}`;
}
