import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `honest`: as a store should. `endless`: there are always more objects to list. `trickle`: objects come byte by byte.
 * `silent`: requests are taken and never answered.
 */
export type StoreMode = 'honest' | 'endless' | 'trickle' | 'silent';

const PAGE = 1_000;
/** Between two bytes: below the time after which clients take a connection for dead. */
const TRICKLE_MS = 500;

/** A user's own object store, in memory: the part of the S3 protocol that an archive needs, and unexpected behaviour. */
export class HostileStore {
  mode: StoreMode = 'honest';
  /** Pages of objects that were asked for. */
  listings = 0;
  /** Requests that are being answered byte by byte, or never. */
  held = 0;
  private readonly objects = new Map<string, Buffer>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<HostileStore> {
    const server = createServer();
    const store = new HostileStore(server);
    server.on('request', (request, response) => {
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      void store.take(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The body for `PUT /api/storage/config`. */
  get configuration(): Record<string, unknown> {
    return {
      type: 'objstore',
      objstoreEndpoint: this.endpoint,
      objstoreRegion: 'us-east-1',
      objstoreBucket: 'hostile',
      objstoreAccessKeyId: 'anybody',
      objstoreSecretAccessKey: 'anything',
      objstoreForcePathStyle: true,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.endpoint);
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    if (this.mode === 'silent') return this.hold(response);
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    if (request.method === 'PUT') return this.put(key, Buffer.concat(body), response);
    if (request.method === 'DELETE') {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === '') return this.list(url.searchParams, response);
    return this.get(key, request, response);
  }

  private hold(response: ServerResponse): void {
    this.held += 1;
    response.once('close', () => (this.held -= 1));
  }

  private put(key: string, bytes: Buffer, response: ServerResponse): void {
    if (key !== '') this.objects.set(key, bytes);
    response.writeHead(200, { etag: etagOf(bytes) }).end();
  }

  private list(query: URLSearchParams, response: ServerResponse): void {
    if (query.has('uploads')) return answerXml(response, '<ListMultipartUploadsResult/>');
    this.listings += 1;
    const prefix = query.get('prefix') ?? '';
    if (this.mode !== 'endless') {
      const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
      return answerXml(response, listing(keys, null));
    }
    const keys = Array.from({ length: PAGE }, (_, n) => `${prefix}${numbered(this.listings)}-${numbered(n)}`);
    answerXml(response, listing(keys, `page-${this.listings}`));
  }

  private async get(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = this.objects.get(key);
    if (!bytes) return answerXml(response, '<Error><Code>NoSuchKey</Code></Error>', 404);
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const start = Number(range?.[1] ?? 0);
    const end = range?.[2] ? Math.min(Number(range[2]), bytes.length - 1) : bytes.length - 1;
    const part = bytes.subarray(start, end + 1);
    response.writeHead(range ? 206 : 200, {
      etag: etagOf(bytes),
      'content-length': part.length,
      'last-modified': new Date(0).toUTCString(),
      ...(range ? { 'content-range': `bytes ${start}-${end}/${bytes.length}` } : {}),
    });
    if (this.mode !== 'trickle') return void response.end(part);
    this.hold(response);
    for (let at = 0; at < part.length && !response.destroyed; at += 1) {
      response.write(part.subarray(at, at + 1));
      await delay(TRICKLE_MS);
    }
    response.end();
  }
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

const numbered = (n: number): string => String(n).padStart(9, '0');

function listing(keys: readonly string[], next: string | null): string {
  const objects = keys.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2024-01-01T00:00:00.000Z</LastModified><ETag>"0"</ETag><Size>1</Size></Contents>`,
  );
  const more = next === null ? 'false' : `true</IsTruncated><NextContinuationToken>${next}`;
  const last = next === null ? 'IsTruncated' : 'NextContinuationToken';
  return `<ListBucketResult><Name>hostile</Name><KeyCount>${keys.length}</KeyCount><MaxKeys>${PAGE}</MaxKeys><IsTruncated>${more}</${last}>${objects.join('')}</ListBucketResult>`;
}

function answerXml(response: ServerResponse, xml: string, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}
