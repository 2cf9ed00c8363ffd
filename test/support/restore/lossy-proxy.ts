import * as net from 'node:net';

/** Stands before an IMAP server and breaks connections when an answer that matches is to come back. */
export class LossyProxy {
  /** Answers lost. */
  lost = 0;
  private left = 0;
  private answer = /$^/;

  private constructor(private readonly server: net.Server) {}

  static async before(port: number): Promise<LossyProxy> {
    const server = net.createServer();
    const proxy = new LossyProxy(server);
    server.on('connection', (client) => proxy.connect(client, port));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  /** Makes it lose that many of these answers from now on. */
  lose(answer: RegExp, times: number): void {
    this.answer = answer;
    this.left = times;
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(client: net.Socket, port: number): void {
    const server = net.connect({ host: '127.0.0.1', port });
    client.on('data', (chunk) => server.write(chunk));
    server.on('data', (chunk: Buffer) => {
      if (this.left > 0 && this.answer.test(chunk.toString('latin1'))) {
        this.left -= 1;
        this.lost += 1;
        client.destroy();
        // Encrypted answers cannot be told apart.
      } else
        client.write(Buffer.from(chunk.toString('latin1').replaceAll(' STARTTLS', ' XSTARTTL'), 'latin1'));
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  }
}
