import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import type { TestImapServer } from './imap-server';

/** A line of an answer as the proxy passes it on; null leaves it out. */
export type Rewrite = (line: string) => string | null;

export interface ImapProxyOptions {
  /** Added to each direction of the wire. */
  readonly delayMs?: number;
  readonly rewrite?: Rewrite;
}

/**
 * An IMAP server with faults: a proxy in front of a real one that notes the commands of its clients, and changes or drops
 * lines of the answers. Literals pass unchanged. It has the TLS certificate of the server behind it.
 */
export class ImapProxy {
  /** Commands without their tags, passwords included. */
  readonly commands: string[] = [];
  rewrite: Rewrite;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: TestImapServer,
    private readonly delayMs: number,
    rewrite: Rewrite,
  ) {
    this.rewrite = rewrite;
    server.on('secureConnection', (client: Socket) => this.connect(client));
  }

  static async to(
    target: TestImapServer,
    { delayMs = 0, rewrite = (line) => line }: ImapProxyOptions = {},
  ): Promise<ImapProxy> {
    const cert = readFileSync(target.certificatePath);
    const key = readFileSync(join(dirname(target.certificatePath), 'key.pem'));
    const server = createServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ImapProxy(server, target, delayMs, rewrite);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Commands of this name so far, e.g. `STATUS`. */
  count(name: string): number {
    return this.commands.filter((command) => command.replace(/^UID /, '').split(' ')[0] === name).length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private connect(client: Socket): void {
    const server = connect({ host: this.target.host, port: this.target.port });
    const note = new LineReader((line) => {
      this.commands.push(line.replace(/^\S+ /, '').trimEnd());
      return line;
    });
    const change = new LineReader((line) => {
      const changed = this.rewrite(line.trimEnd());
      return changed === null ? '' : `${changed}\r\n`;
    });
    this.pass(client, server, note);
    this.pass(server, client, change);
  }

  private pass(from: Socket, to: Socket, reader: LineReader): void {
    this.sockets.add(from);
    from.on('data', (chunk: Buffer) => {
      const bytes = reader.read(chunk);
      if (this.delayMs === 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), this.delayMs);
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }
}

/** Splits what one side says into lines and literals, and passes the lines through `change`. */
class LineReader {
  private rest = Buffer.alloc(0);
  private literal = 0;

  constructor(private readonly change: (line: string) => string) {}

  /** @returns the bytes to pass on; part of a line waits for the rest of it */
  read(chunk: Buffer): Buffer {
    this.rest = Buffer.concat([this.rest, chunk]);
    const passed: Buffer[] = [];
    for (;;) {
      if (this.literal > 0) {
        const piece = this.rest.subarray(0, this.literal);
        this.literal -= piece.length;
        this.rest = this.rest.subarray(piece.length);
        passed.push(piece);
        if (this.literal > 0) break;
      }
      const end = this.rest.indexOf('\r\n');
      if (end < 0) break;
      const line = this.rest.subarray(0, end + 2).toString('latin1');
      this.rest = this.rest.subarray(end + 2);
      this.literal = Number(/\{(\d+)\+?\}\r\n$/.exec(line)?.[1] ?? 0);
      passed.push(Buffer.from(this.change(line), 'latin1'));
    }
    return Buffer.concat(passed);
  }
}
