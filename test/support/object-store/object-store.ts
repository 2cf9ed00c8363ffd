import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'minio';
import { freePort } from '../service-process';

/** Benchmarks run compiled, in dist, where the compiler puts no Python. */
const LAUNCHER = [__dirname, join(__dirname, '../../../../test/support/object-store')]
  .map((folder) => join(folder, 'swift-server.py'))
  .find((path) => existsSync(path)) as string;
/** Another python may be first on PATH, without Swift's modules. */
const PYTHON = '/usr/bin/python3';
const READY_MS = 60_000;
const ATTEMPTS = 3;

export interface ObjectStoreAddress {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What an object holds and is called. */
export interface FoundObject {
  readonly key: string;
  readonly size: number;
}

/**
 * A real object store (OpenStack Swift with its S3 API) of a test's own: it checks signatures, does multipart uploads
 * and ranges, and ends with the process that started it.
 */
export class TestObjectStore implements ObjectStoreAddress {
  readonly region = 'us-east-1';
  readonly accessKeyId = 'test:tester';
  readonly secretAccessKey = 'testing';
  /** May sign in, but no bucket of the tester's is open to it. */
  readonly guest = { accessKeyId: 'test:guest', secretAccessKey: 'testing' };
  readonly client: Client;

  private constructor(
    readonly endpoint: string,
    private readonly directory: string,
    private readonly processes: readonly ChildProcess[],
  ) {
    this.client = this.connect(false);
  }

  /** Takes about three seconds; start one for a whole spec file, in `beforeAll`. */
  static async start(): Promise<TestObjectStore> {
    for (let attempt = 1; ; attempt += 1) {
      const store = await TestObjectStore.launch();
      const failure = await store.becomesReady();
      if (failure === null) return store;
      await store.stop();
      // Somebody may have taken one of the ports in the meantime.
      if (attempt === ATTEMPTS) throw new Error(`The object store did not start: ${failure}`);
    }
  }

  private static async launch(): Promise<TestObjectStore> {
    const directory = mkdtempSync(join(tmpdir(), 'mailroom-objstore-'));
    const ports = await Promise.all(Array.from({ length: 5 }, () => freePort()));
    const [, , , proxy, memcached] = ports;
    const log = openSync(join(directory, 'log'), 'a', 0o600);
    const run = (program: string, ...args: string[]): ChildProcess =>
      spawn('setpriv', ['--pdeathsig=KILL', '--', program, ...args], { stdio: ['ignore', log, log] });
    try {
      return new TestObjectStore(`http://127.0.0.1:${proxy}`, directory, [
        run('memcached', '-u', 'root', '-l', '127.0.0.1', '-p', String(memcached), '-U', '0', '-m', '16'),
        run(PYTHON, LAUNCHER, directory, ...ports.map(String)),
      ]);
    } finally {
      closeSync(log);
    }
  }

  /** What `PUT /api/storage/config` takes. */
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

  async stop(): Promise<void> {
    await Promise.all(this.processes.map(killed));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private connect(disableRetry: boolean): Client {
    return new Client({
      endPoint: '127.0.0.1',
      port: Number(new URL(this.endpoint).port),
      useSSL: false,
      region: this.region,
      accessKey: this.accessKeyId,
      secretKey: this.secretAccessKey,
      // Swift answers HEAD with a body when it refuses; on a connection kept open it would be the next answer.
      transportAgent: new Agent({ keepAlive: false }),
      retryOptions: { disableRetry },
    });
  }

  /** @returns null once it answers signed requests, else why it will not */
  private async becomesReady(): Promise<string | null> {
    const deadline = Date.now() + READY_MS;
    for (;;) {
      if (this.processes.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) break;
      if (await this.answers()) return null;
      if (Date.now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return readFileSync(join(this.directory, 'log'), 'utf8').slice(-2_000);
  }

  private async answers(): Promise<boolean> {
    const status = await fetch(this.endpoint, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 0 || status >= 500) return false;
    // The other client would complain aloud about every attempt.
    return this.connect(true)
      .listBuckets()
      .then(
        () => true,
        () => false,
      );
  }
}

function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
    child.kill('SIGKILL');
  });
}
