import * as net from 'node:net';

/** Stands between a client and a server, and can let the server seem stalled or gone. */
export class TcpProxy {
  private readonly pairs = new Set<readonly [net.Socket, net.Socket]>();
  /** The number of connections that `breakAfter` has broken. */
  cuts = 0;
  /** Bytes that clients have sent. */
  sent = 0;
  private cut: { readonly direction: 'to' | 'from'; bytes: number } | null = null;
  private state: 'passing' | 'stalled' | 'gone' = 'passing';

  private constructor(
    private readonly server: net.Server,
    private readonly target: URL,
    private readonly delayMs: number,
  ) {}

  /** @param delayMs how long everything is on its way, in each direction */
  static async to(target: string, { delayMs = 0 } = {}): Promise<TcpProxy> {
    const server = net.createServer();
    const proxy = new TcpProxy(server, new URL(target), delayMs);
    server.on('connection', (client) => proxy.connect(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The target's URL by way of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as net.AddressInfo).port}`;
    return url.toString();
  }

  /** Connections that are open. */
  get connections(): number {
    return this.pairs.size;
  }

  /** Connections stay open; nothing comes back. */
  stall(): void {
    this.state = 'stalled';
    for (const [, server] of this.pairs) server.pause();
  }

  /** Connections break, new ones too. */
  vanish(): void {
    this.state = 'gone';
    for (const [client] of this.pairs) client.destroy();
  }

  /** Breaks all connections once so many more bytes have gone to the server or come from it; the rest is lost. */
  breakAfter(direction: 'to' | 'from', bytes: number): void {
    this.cut = { direction, bytes };
  }

  restore(): void {
    this.state = 'passing';
    for (const [, server] of this.pairs) server.resume();
  }

  async close(): Promise<void> {
    this.vanish();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(move: () => void): void {
    if (this.delayMs === 0) move();
    else setTimeout(move, this.delayMs);
  }

  private isCut(direction: 'to' | 'from', bytes: number): boolean {
    if (this.cut?.direction !== direction) return false;
    this.cut.bytes -= bytes;
    if (this.cut.bytes > 0) return false;
    this.cut = null;
    this.cuts += 1;
    for (const [client, server] of this.pairs) {
      client.destroy();
      server.destroy();
    }
    return true;
  }

  private connect(client: net.Socket): void {
    if (this.state === 'gone') return void client.destroy();
    const server = net.connect({ host: this.target.hostname, port: Number(this.target.port) });
    const pair = [client, server] as const;
    this.pairs.add(pair);
    client.on('data', (chunk) => (this.sent += chunk.length));
    for (const [from, to] of [pair, [server, client]] as const) {
      from.on('data', (chunk: Buffer) => {
        if (!this.isCut(from === client ? 'to' : 'from', chunk.length)) this.pass(() => to.write(chunk));
      });
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.pairs.delete(pair);
        this.pass(() => to.destroy());
      });
    }
    if (this.state === 'stalled') server.pause();
  }
}
