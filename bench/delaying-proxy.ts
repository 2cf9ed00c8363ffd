import * as net from 'node:net';

/** Stands between a client and a server and makes every answer come later, as distance would. */
export class DelayingProxy {
  private constructor(
    private readonly server: net.Server,
    private readonly sockets: Set<net.Socket>,
  ) {}

  /** @param delayMs added to what the server sends; throughput is not limited */
  static async to(target: string, delayMs: number): Promise<DelayingProxy> {
    const { hostname, port } = new URL(target);
    const sockets = new Set<net.Socket>();
    const server = net.createServer((client) => {
      const upstream = net.connect({ host: hostname, port: Number(port), noDelay: true });
      client.setNoDelay(true);
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
      }
      client.pipe(upstream);
      // Timers of the same length fire in order, so bytes stay in theirs.
      upstream.on('data', (chunk) => setTimeout(() => client.write(chunk), delayMs));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new DelayingProxy(server, sockets);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as net.AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
