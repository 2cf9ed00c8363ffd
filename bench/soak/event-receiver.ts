import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Every so often the receiver is not well, and is asked again. */
const REFUSES_EVERY = 20;

/** Somebody's server that is told of events; it counts them. */
export class EventReceiver {
  requests = 0;
  accepted = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EventReceiver> {
    const server = createServer();
    const receiver = new EventReceiver(server);
    server.on('request', (request, response) => {
      receiver.requests += 1;
      const isFine = receiver.requests % REFUSES_EVERY !== 0;
      if (isFine) receiver.accepted += 1;
      request.resume();
      request.on('end', () => response.writeHead(isFine ? 204 : 503).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
