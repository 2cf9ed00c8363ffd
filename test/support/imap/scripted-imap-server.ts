import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { TestCertificate } from './test-certificate';

/** Answers a client's line in place of the usual answer; undefined for the usual one. */
export type Misbehaviour = (line: string, socket: Socket, tag: string) => boolean | undefined;

export interface ScriptedMessage {
  readonly raw: Buffer;
  /** The size that the server states, if it is false. */
  readonly size?: number;
}

/**
 * The part of an IMAP server that an import needs, to misbehave as a test wants: it can disconnect, fall silent, state
 * false sizes and send nonsense. It has one folder, and accepts any user and password.
 */
export class ScriptedImapServer {
  readonly host = '127.0.0.1';
  readonly said: string[] = [];
  connections = 0;
  /** Asked before every answer; true when it has dealt with the line itself. */
  misbehave: Misbehaviour = () => undefined;
  greeting: string | null = '* OK ready\r\n';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly messages: Map<number, ScriptedMessage>,
    private readonly startTls: TestCertificate | null,
    event: 'connection' | 'secureConnection',
  ) {
    server.on(event, (socket: Socket) => this.talk(socket));
  }

  /**
   * @param messages by their UIDs
   * @param protection TLS from the first byte, or by STARTTLS
   */
  static async start(
    messages: Map<number, ScriptedMessage>,
    protection: { tls?: TestCertificate; startTls?: TestCertificate } = {},
  ): Promise<ScriptedImapServer> {
    const { tls, startTls = null } = protection;
    const server = tls ? createTlsServer(tls) : createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ScriptedImapServer(server, messages, startTls, tls ? 'secureConnection' : 'connection');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get open(): number {
    return this.sockets.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private talk(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.setNoDelay();
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    if (this.greeting !== null) socket.write(this.greeting);
    this.listen(socket);
  }

  private listen(socket: Socket): void {
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('latin1')).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) this.answer(line, socket);
    });
  }

  private answer(line: string, socket: Socket): void {
    this.said.push(line);
    const [tag = '', ...words] = line.split(' ');
    if (this.misbehave(line, socket, tag)) return;
    const command = words.slice(0, words[0] === 'UID' ? 2 : 1).join(' ');
    const uids = [...this.messages.keys()].sort((one, other) => one - other);
    if (command === 'CAPABILITY') {
      const offersTls = this.startTls !== null && !(socket instanceof TLSSocket);
      const upgrade = offersTls ? ' STARTTLS' : '';
      socket.write(`* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR ESEARCH${upgrade}\r\n`);
    }
    if (command === 'STARTTLS' && this.startTls) return this.protect(socket, tag, this.startTls);
    if (command === 'LIST') socket.write('* LIST () "/" INBOX\r\n');
    if (command === 'EXAMINE')
      socket.write(
        `* FLAGS (\\Seen)\r\n* ${uids.length} EXISTS\r\n* OK [UIDVALIDITY 7]\r\n* OK [UIDNEXT 9999]\r\n`,
      );
    if (command === 'UID SEARCH') {
      const from = Number(/UID (\d+):\*/.exec(line)?.[1] ?? 1);
      const found = uids.filter((uid) => uid >= from).join(',');
      socket.write(`* ESEARCH (TAG "${tag}") UID${found ? ` ALL ${found}` : ''}\r\n`);
    }
    if (command === 'UID FETCH')
      for (const uid of wanted(words[2]!, uids)) this.hand(uid, line, uids, socket);
    if (command === 'LOGOUT') socket.write('* BYE\r\n');
    socket.write(`${tag} OK done\r\n`);
    if (command === 'LOGOUT') socket.end();
  }

  private protect(socket: Socket, tag: string, certificate: TestCertificate): void {
    socket.removeAllListeners('data');
    socket.write(`${tag} OK begin\r\n`);
    const upgraded = new TLSSocket(socket, { isServer: true, ...certificate });
    upgraded.on('error', () => undefined);
    this.listen(upgraded);
  }

  private hand(uid: number, line: string, uids: readonly number[], socket: Socket): void {
    const { raw, size } = this.messages.get(uid)!;
    const about = `* ${uids.indexOf(uid) + 1} FETCH (UID ${uid}`;
    const partial = /BODY\.PEEK\[\]<(\d+)\.(\d+)>/.exec(line);
    if (!partial) {
      const date = 'INTERNALDATE "01-Jan-2024 10:00:00 +0000"';
      socket.write(`${about} FLAGS (\\Seen) ${date} RFC822.SIZE ${size ?? raw.length})\r\n`);
      return;
    }
    const [start, length] = [Number(partial[1]), Number(partial[2])];
    const piece = raw.subarray(start, start + length);
    socket.write(`${about} BODY[]<${start}> {${piece.length}}\r\n`);
    socket.write(piece);
    socket.write(')\r\n');
  }
}

/** Returns the existing UIDs in a set like `1:3,7`. */
function wanted(set: string, uids: readonly number[]): number[] {
  const ranges = set.split(',').map((part) => part.split(':').map(Number));
  return uids.filter((uid) => ranges.some(([from = 0, to = from]) => uid >= from && uid <= to));
}

/** Whether a line asks for the bytes of a message. */
export function asksForBytes(line: string, uid: number): boolean {
  const set = /UID FETCH (\S+) .*BODY\.PEEK/.exec(line)?.[1];
  return set !== undefined && wanted(set, [uid]).length > 0;
}
