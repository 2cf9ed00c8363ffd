import { connect as connectPlain, type AddressInfo } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { testCertificate, type TestCertificate } from './test-certificate';

/** The answer to a command that the server behind does not get; undefined passes the command on. */
export type Interception = (command: string) => string | undefined | Promise<string | undefined>;

/** An IMAP server with TLS that passes everything on to another one, but for the commands that a test answers itself. */
export class InterceptingProxy {
  /** The beginnings of the commands that came. */
  readonly said: string[] = [];
  /** Is given each command without its tag; the answer lacks the tag as well, e.g. `NO [LIMIT] Wait`. */
  intercept: Interception = () => undefined;
  private readonly sockets = new Set<TLSSocket>();

  private constructor(
    private readonly server: Server,
    readonly certificate: TestCertificate,
  ) {}

  /** @param port of the server behind, without TLS */
  static async before(port: number): Promise<InterceptingProxy> {
    const certificate = testCertificate();
    const server = createServer(certificate);
    const proxy = new InterceptingProxy(server, certificate);
    server.on('secureConnection', (client: TLSSocket) => proxy.connect(client, port));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(client: TLSSocket, port: number): void {
    const behind = connectPlain({ host: '127.0.0.1', port });
    this.sockets.add(client);
    client.on('close', () => this.sockets.delete(client));
    let working: Promise<void> = Promise.resolve();
    client.on('data', (chunk: Buffer) => {
      working = working.then(async () => {
        const [, tag, command] = /^([A-Za-z0-9]+) ([A-Z][^\r\n]*)/.exec(chunk.toString('latin1')) ?? [];
        if (tag !== undefined && command !== undefined) {
          this.said.push(command);
          const answer = await this.intercept(command);
          if (answer !== undefined) {
            client.write(`${tag} ${answer}\r\n`);
            return;
          }
        }
        behind.write(chunk);
      });
    });
    behind.on('data', (chunk: Buffer) => client.write(chunk));
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  }
}
