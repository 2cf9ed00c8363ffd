import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../src/platform/crypto/ids';

/** The kinds of endless listings: without keys, with the same keys, or with keys that were never written. */
export type Endlessness = 'empty' | 'same' | 'growing';

const PAGE = 20;

/**
 * An object store that its owner may have written. It keeps objects and ignores signatures; on command, its listings
 * have no end.
 */
export class HostileObjectStore {
  private readonly objects = new Map<string, Buffer>();
  private endlessness: Endlessness | null = null;
  private pages = 0;
  /** Listings of uploads are asked for as well. */
  readonly requests = { listings: 0, uploadListings: 0, deletions: 0 };

  private constructor(private readonly server: Server) {}

  static async start(): Promise<HostileObjectStore> {
    const server = createServer();
    const store = new HostileObjectStore(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void store.answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return store;
  }

  /** The body for `PUT /api/storage/config`. */
  configuration(bucket: string): Record<string, unknown> {
    return {
      type: 'objstore',
      objstoreEndpoint: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      objstoreRegion: 'us-east-1',
      objstoreBucket: bucket,
      objstoreForcePathStyle: true,
      objstoreAccessKeyId: 'key',
      objstoreSecretAccessKey: 'secret',
    };
  }

  /** Makes listings endless from now on, that of uploads included. */
  listForever(how: Endlessness): void {
    this.endlessness = how;
  }

  /** Keys of what it was given and not told to delete. */
  keys(): string[] {
    return [...this.objects.keys()].sort();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://store');
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (url.searchParams.has('uploads')) return this.listUploads(url, response);
    if (url.searchParams.has('list-type')) return this.list(url, response);
    if (request.method === 'PUT') {
      this.objects.set(key, Buffer.concat(chunks));
      return void response.writeHead(200, { etag: '"etag"', 'content-length': '0' }).end();
    }
    if (request.method === 'DELETE') {
      this.requests.deletions += 1;
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    const bytes = this.objects.get(key);
    if (!bytes) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    const headers = {
      etag: '"etag"',
      'content-length': String(bytes.length),
      'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}`,
    };
    response.writeHead(request.headers.range ? 206 : 200, headers).end(bytes);
  }

  private list(url: URL, response: ServerResponse): void {
    this.requests.listings += 1;
    const prefix = url.searchParams.get('prefix')!;
    // A configuration is tested with a folder of its own.
    const isReal = this.endlessness === null || prefix.startsWith('mailroom-test/');
    const keys = isReal ? this.keys().filter((key) => key.startsWith(prefix)) : this.inventedKeys(prefix);
    const contents = keys.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>`,
    );
    const more = `<IsTruncated>true</IsTruncated><NextContinuationToken>page-${this.pages}</NextContinuationToken>`;
    response.end(
      `<ListBucketResult>${isReal ? '<IsTruncated>false</IsTruncated>' : more}${contents.join('')}</ListBucketResult>`,
    );
  }

  private listUploads(url: URL, response: ServerResponse): void {
    this.requests.uploadListings += 1;
    const keys = this.endlessness === null ? [] : this.inventedKeys(url.searchParams.get('prefix')!);
    const uploads = keys.map(
      (key) =>
        `<Upload><Key>${key}</Key><UploadId>${newId()}</UploadId><Initiated>2020-01-01T00:00:00.000Z</Initiated></Upload>`,
    );
    const more = `<IsTruncated>true</IsTruncated><NextKeyMarker>page-${this.pages}</NextKeyMarker>`;
    response.end(
      `<ListMultipartUploadsResult>${this.endlessness === null ? '' : more}${uploads.join('')}</ListMultipartUploadsResult>`,
    );
  }

  private inventedKeys(prefix: string): string[] {
    this.pages += 1;
    if (this.endlessness === 'empty') return [];
    const page = String(this.endlessness === 'same' ? 0 : this.pages).padStart(12, '0');
    return Array.from({ length: PAGE }, (_, n) => `${prefix}page-${page}-${String(n).padStart(4, '0')}.eml`);
  }
}
