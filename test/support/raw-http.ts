import { connect, type Socket } from 'node:net';
import { waitFor } from './wait';

/** A client that sends any given bytes, and keeps the answer. */
export class RawClient {
  private readonly chunks: Buffer[] = [];
  closed = false;
  readonly socket: Socket;

  /** @param reads whether it takes what it is sent */
  constructor(url: string, reads = true) {
    this.socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
    if (reads) this.socket.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    this.socket.on('close', () => (this.closed = true));
    // The answer and the closed connection show the result.
    this.socket.on('error', () => undefined);
  }

  send(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  get received(): string {
    return Buffer.concat(this.chunks).toString('latin1');
  }

  /** The statuses of all answers so far. */
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
