import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;
/** Room for some thousand questions that arrive at once; with the system's default some are lost. */
const RECEIVE_BYTES = 4 * 1024 * 1024;

/** A DNS server (RFC 1035) over UDP that knows the names it is given; of others it says that they do not exist. */
export class DnsServer {
  /** Names that were asked for, each once, in this order. */
  readonly asked = new Set<string>();
  private readonly names = new Map<string, readonly string[]>();
  private readonly ignored = new Map<string, readonly number[]>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, from) => this.answer(query, from));
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BYTES }).bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** The address in the format of `EGRESS_DNS_SERVERS`. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** @param name `*.example` for all names below */
  on(name: string, ...addresses: readonly string[]): void {
    this.names.set(name, addresses);
  }

  /**
   * Never answers about a name.
   * @param name `*.example` for all names below
   * @param family default: neither
   */
  ignore(name: string, family?: 4 | 6): void {
    this.ignored.set(name, family === 4 ? [A] : family === 6 ? [AAAA] : [A, AAAA]);
  }

  close(): void {
    this.socket.close();
  }

  private answer(query: Buffer, from: RemoteInfo): void {
    const { name, type, end } = question(query);
    this.asked.add(name);
    const known = of(this.names, name);
    if (of(this.ignored, name)?.includes(type)) return;
    const addresses = (known ?? []).filter((address) => type === (isIP(address) === 6 ? AAAA : A));
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // A response to a recursive query, with one question.
    head.writeUInt16BE(0x8180 | (known ? 0 : NAME_ERROR), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(addresses.length, 6);
    const response = Buffer.concat([head, query.subarray(12, end), ...addresses.map(record)]);
    this.socket.send(response, from.port, from.address);
  }
}

const of = <T>(names: ReadonlyMap<string, T>, name: string): T | undefined =>
  names.get(name) ?? names.get(name.replace(/^[^.]+/, '*'));

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  // The name is that of the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(bytes.length === 16 ? AAAA : A, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
