import { connect, type Socket } from 'node:net';
import { waitFor } from './wait';

/** A client that sends whatever bytes it is told to, and keeps what comes back. */
export class RawClient {
  private readonly chunks: Buffer[] = [];
  closed = false;
  readonly socket: Socket;

  /** @param reads whether it takes what it is sent */
  constructor(url: string, reads = true) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
    if (reads) this.socket.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.socket.on('close', () => (this.closed = true));
    // What comes of it is seen by what was answered, and by the connection being closed.
    this.socket.on('error', () => undefined);
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  get received(): string {
    return Buffer.concat(this.chunks).toString('latin1');
  }

  /** Of all answers so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/(?:^|\r\n|\})HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
      Number(status),
    );
  }

  /** Waits for so many answers. */
  async answers(count = 1): Promise<number[]> {
    await waitFor(
      `${count} answers, having ${this.received.slice(0, 300)}`,
      () => this.statuses.length >= count || this.closed,
    );
    return this.statuses;
  }

  /** Waits until the service has closed the connection. */
  async end(): Promise<number[]> {
    await waitFor('the connection to be closed', () => this.closed);
    return this.statuses;
  }

  leave(): void {
    this.socket.destroy();
  }
}
