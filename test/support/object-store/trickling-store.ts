import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The time between two bytes: a client without a minimum pace would wait for hours. */
const TRICKLE_MS = 50;

/** Stands before an object store. When told to, it hands out the bytes of objects one by one, without end. */
export class TricklingStore {
  /** Answers that trickle at present. */
  trickling = 0;
  /** Answers that have begun to trickle so far. */
  begun = 0;
  private isSlow = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('request', (asked, answer) => this.pass(asked, answer));
  }

  static async before(endpoint: string): Promise<TricklingStore> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TricklingStore(server, new URL(endpoint));
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Makes objects trickle from now on, except those already being sent. */
  slowDown(): void {
    this.isSlow = true;
  }

  recover(): void {
    this.isSlow = false;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url, headers } = asked;
    const { hostname, port } = this.target;
    const onward = request({ hostname, port, method, path: url, headers, agent: false }, (found) => {
      answer.writeHead(found.statusCode!, found.rawHeaders);
      const isObject = method === 'GET' && !url!.includes('?') && found.headers.etag !== undefined;
      if (this.isSlow && isObject) this.trickle(found, answer);
      else found.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }

  private trickle(found: IncomingMessage, answer: ServerResponse): void {
    found.destroy();
    // The client may have left before the store answered.
    if (answer.closed) return;
    this.begun += 1;
    this.trickling += 1;
    const timer = setInterval(() => answer.write('x'), TRICKLE_MS);
    answer.once('close', () => {
      clearInterval(timer);
      this.trickling -= 1;
    });
  }
}
