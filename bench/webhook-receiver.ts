import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestUser } from '../test/support/test-user';

const HANGING = '/hanging';

/** Somebody's server: notes when it was told of which job, and answers after a while; on one path never. */
export class BenchReceiver {
  /** By job, of all paths that answer: when each request was complete, of `performance.now()`. */
  readonly receipts = new Map<string, number[]>();
  /** Requests that were never answered. */
  hanging = 0;

  private constructor(private readonly server: Server) {}

  static async start(latencyMs: number): Promise<BenchReceiver> {
    const server = createServer();
    const receiver = new BenchReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === HANGING) {
          receiver.hanging += 1;
          return;
        }
        receiver.note(Buffer.concat(chunks));
        setTimeout(() => response.writeHead(204).end(), latencyMs);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get hangingUrl(): string {
    return this.url(HANGING);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private note(body: Buffer): void {
    const { data } = JSON.parse(body.toString('utf8')) as { data: { jobId: string } };
    const times = this.receipts.get(data.jobId) ?? [];
    times.push(performance.now());
    this.receipts.set(data.jobId, times);
  }
}

/** A generic webhook that is told of the user's completed jobs. */
export async function addWebhook(user: TestUser, url: string): Promise<void> {
  const { status, bytes } = await user.api.post('/api/webhooks', {
    name: 'Bench',
    url,
    events: ['job.completed'],
  });
  if (status !== 201) throw new Error(`webhooks answered ${status}: ${bytes.toString()}`);
}

/** With what they have waiting, which later benchmarks would send. */
export async function removeWebhooks(user: TestUser): Promise<void> {
  const { body } = await user.api.get<{ id: string }[]>('/api/webhooks');
  for (const { id } of body) {
    const { status } = await user.api.delete(`/api/webhooks/${id}`);
    if (status !== 204) throw new Error(`Deleting a webhook answered ${status}`);
  }
}
