import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { LeaseLost } from '../../../platform/database/lease-worker';
import { ClientGone } from '../../../platform/http/client-signal';
import type { AppConfig } from '../../../platform/config/app-config';
import { UploadChunkTooLarge, UploadMissing } from '../imports.errors';
import { UploadDirectory } from '../upload-directory';
import { ChunkReceiver, type ReceivedChunk } from './chunk-receiver';

const ID = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

/** A request whose body is written by the test. */
class FakeRequest extends PassThrough {
  readonly headers: Record<string, string> = {};
  complete = false;

  override end(...args: unknown[]): this {
    this.complete = true;
    return super.end(...(args as []));
  }
}

describe(ChunkReceiver.name, () => {
  let dataDir: string;
  let sut: ChunkReceiver;
  let request: FakeRequest;
  let lost: AbortController;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'chunks-'));
    sut = new ChunkReceiver(new UploadDirectory({ storage: { dataDir } } as AppConfig));
    request = new FakeRequest();
    lost = new AbortController();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(dataDir, { recursive: true });
  });

  const path = (): string => join(dataDir, 'uploads', `${ID}.part`);
  const receive = (offset = 0, most = 100): Promise<ReceivedChunk> =>
    sut.receive(request as unknown as IncomingMessage, { uploadId: ID, offset, most, signal: lost.signal });
  const content = (): Promise<string> => readFile(path(), 'utf8');
  const written = async (text: string): Promise<void> => {
    while ((await content().catch(() => '')) !== text) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  /** Notes what the file has each time it is synced. */
  const watchSyncs = async (): Promise<string[]> => {
    const any = await open(__filename);
    const prototype = Object.getPrototypeOf(any) as FileHandle;
    await any.close();
    const synced: string[] = [];
    for (const method of ['sync', 'datasync'] as const) {
      const original = prototype[method];
      jest.spyOn(prototype, method).mockImplementation(async function (this: FileHandle) {
        synced.push(await content());
        await original.call(this);
      });
    }
    return synced;
  };

  it('should write a chunk at its offset, over bytes that were never confirmed', async () => {
    request.end('hello ');
    expect(await receive()).toEqual({ bytes: 6, failure: null });
    await writeFile(path(), 'unconfirmed', { flag: 'a' });
    request = new FakeRequest();
    request.end('world');
    expect(await receive(6)).toEqual({ bytes: 5, failure: null });
    expect(await content()).toBe('hello world');
  });

  it('should keep the bytes of a request that breaks off', async () => {
    const received = receive();
    request.write('some');
    await written('some');
    request.destroy();
    expect(await received).toEqual({ bytes: 4, failure: expect.any(ClientGone) });
  });

  it.each(['ends', 'breaks off'])('should have synced the counted bytes when the request %s', async (end) => {
    const synced = await watchSyncs();
    const received = receive();
    request.write('some');
    await written('some');
    request.write(' more');
    await written('some more');
    if (end === 'ends') request.end();
    else request.destroy();
    expect(await received).toMatchObject({ bytes: 9 });
    expect(synced.at(-1)).toBe('some more');
  });

  it('should stop when the lease is lost', async () => {
    const received = receive();
    request.write('some');
    await written('some');
    lost.abort(new LeaseLost());
    expect(await received).toEqual({ bytes: 4, failure: expect.any(LeaseLost) });
    expect(await receive(4)).toEqual({ bytes: 0, failure: expect.any(LeaseLost) });
  });

  it('should refuse more bytes than the chunk may have, announced or not', async () => {
    request.headers['content-length'] = '101';
    await expect(receive()).rejects.toThrow(UploadChunkTooLarge);
    delete request.headers['content-length'];
    request.end('x'.repeat(101));
    expect(await receive()).toEqual({ bytes: 0, failure: expect.any(UploadChunkTooLarge) });
  });

  it('should refuse to continue a missing file', async () => {
    await expect(receive(1)).rejects.toThrow(UploadMissing);
  });
});
