import { Agent } from 'node:http';
import { Client } from 'minio';
import { SwiftServer } from './swift-server';

export interface ObjectStoreAddress {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The content and metadata of an object. */
export interface FoundObject {
  readonly key: string;
  readonly size: number;
}

/**
 * A real object store (OpenStack Swift with its S3 API): it checks signatures, does multipart uploads and ranges. Specs
 * that run in one process share the server, each with an account of its own, whose buckets no other spec sees.
 */
export class TestObjectStore implements ObjectStoreAddress {
  readonly region = 'us-east-1';
  readonly accessKeyId: string;
  readonly secretAccessKey = 'testing';
  /** May sign in, but no bucket of the tester's is open to it. */
  readonly guest: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly client: Client;

  private constructor(
    readonly endpoint: string,
    /** The name of the account. */
    readonly account: string,
  ) {
    this.accessKeyId = `${account}:tester`;
    this.guest = { accessKeyId: `${account}:guest`, secretAccessKey: this.secretAccessKey };
    this.client = new Client({
      endPoint: '127.0.0.1',
      port: Number(new URL(endpoint).port),
      useSSL: false,
      region: this.region,
      accessKey: this.accessKeyId,
      secretKey: this.secretAccessKey,
      // Swift answers HEAD with a body when it refuses; on a connection kept open it would be the next answer.
      transportAgent: new Agent({ keepAlive: false }),
    });
  }

  /** The first of a process takes about three seconds. */
  static async start(): Promise<TestObjectStore> {
    const server = await SwiftServer.ofThisProcess();
    return new TestObjectStore(server.endpoint, server.nextAccount());
  }

  /** The body for `PUT /api/storage/config`. */
  configuration(bucket: string, changes: object = {}): Record<string, unknown> {
    return {
      type: 'objstore',
      objstoreEndpoint: this.endpoint,
      objstoreRegion: this.region,
      objstoreBucket: bucket,
      objstoreAccessKeyId: this.accessKeyId,
      objstoreSecretAccessKey: this.secretAccessKey,
      ...changes,
    };
  }

  /** Everything in a bucket, by key; nothing when there is no such bucket. */
  async objects(bucket: string, prefix = ''): Promise<FoundObject[]> {
    const found: FoundObject[] = [];
    try {
      for await (const item of this.client.listObjectsV2(bucket, prefix, true)) {
        found.push({ key: item.name as string, size: item.size as number });
      }
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'NoSuchBucket') throw error;
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Parts of uploads that were neither completed nor aborted. */
  async unfinishedUploads(bucket: string): Promise<string[]> {
    // The library's own listing sends an empty delimiter, which Swift takes for one.
    const { uploads } = await this.client.listIncompleteUploadsQuery(bucket, '', '', '', '|');
    return uploads.map(({ key }) => key);
  }

  async read(bucket: string, key: string): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.client.getObject(bucket, key)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** Puts other bytes in the place of an object, as a damaged disk would. */
  async overwrite(bucket: string, key: string, bytes: Buffer): Promise<void> {
    await this.client.putObject(bucket, key, bytes);
  }

  async remove(bucket: string, key: string): Promise<void> {
    await this.client.removeObject(bucket, key);
  }
}
