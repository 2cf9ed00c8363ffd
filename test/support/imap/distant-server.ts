import { TcpProxy } from '../tcp-proxy';
import { ImapTestServer } from './imap-test-server';

/** A server on whose TLS port every byte is on its way for a while; another client is near. */
export class DistantServer extends ImapTestServer {
  readonly user: string;
  readonly pass: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly certificatePath: string;

  private constructor(
    private readonly server: ImapTestServer,
    private readonly proxy: TcpProxy,
  ) {
    super();
    ({ user: this.user, pass: this.pass, port: this.port, certificatePath: this.certificatePath } = server);
    this.tlsPort = Number(new URL(proxy.url).port);
  }

  static async before(server: ImapTestServer, delayMs: number): Promise<DistantServer> {
    return new DistantServer(server, await TcpProxy.to(`imap://127.0.0.1:${server.tlsPort}`, { delayMs }));
  }

  run(): Promise<void> {
    return this.server.run();
  }

  halt(): Promise<void> {
    return this.server.halt();
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.server.stop();
  }
}
