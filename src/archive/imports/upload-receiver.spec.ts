import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { newId } from '../../platform/crypto/ids';
import { TooManyAtOnce } from '../../platform/database/database.errors';
import { ClientGone } from '../../platform/http/client-signal';
import type { AppConfig } from '../../platform/config/app-config';
import { type ReceivedFile, UploadReceiver, type UploadToReceive } from './upload-receiver';
import { UploadDirectory } from './upload-directory';
import { TooManyUploads, UploadOverQuota, UploadSpaceExhausted, UploadStalled } from './imports.errors';

const MIB = 1024 * 1024;
const HEAD =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n' +
  'Content-Type: application/mbox\r\n\r\n';

interface Until {
  readonly write?: (bytes: number) => Promise<void>;
  readonly sync?: () => Promise<void>;
  readonly keepRoom?: () => Promise<boolean>;
  readonly delete?: () => Promise<void>;
}

/** A disk on which everything succeeds, each call when `until` allows. */
function diskThat(until: Until): UploadDirectory {
  const handle = {
    write: async (chunk: Buffer, at: number) => {
      await until.write?.(chunk.length - at);
      return { bytesWritten: chunk.length - at };
    },
    datasync: async () => undefined,
    sync: () => until.sync?.() ?? Promise.resolve(),
    close: async () => undefined,
  };
  return {
    keepRoom: () => until.keepRoom?.() ?? Promise.resolve(true),
    create: async () => handle,
    complete: async () => undefined,
    delete: () => until.delete?.() ?? Promise.resolve(),
  } as unknown as UploadDirectory;
}

/** @param announced in `Content-Length`; without it the body is chunked */
function request(announced?: number): PassThrough & { complete: boolean } {
  const headers = {
    'content-type': 'multipart/form-data; boundary=cut',
    ...(announced === undefined ? {} : { 'content-length': String(announced) }),
  };
  return Object.assign(new PassThrough({ highWaterMark: 64 * 1024 }), { headers, complete: false });
}

const config = { storage: { maxUploadBytes: 100 * MIB } } as AppConfig;
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('UploadReceiver', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const receive = (
    disk: UploadDirectory,
    upload: PassThrough,
    hold: UploadToReceive['hold'] = async () => Infinity,
  ): Promise<ReceivedFile> =>
    new UploadReceiver(disk, config).receive(upload as unknown as IncomingMessage, {
      uploadId: newId(),
      hold,
    });

  it('should wait for a disk that takes minutes to sync a complete upload', async () => {
    let synced = (): void => undefined;
    const upload = request();
    const received = receive(diskThat({ sync: () => new Promise((resolve) => (synced = resolve)) }), upload);
    upload.end(`${HEAD}From the beginning\r\n--cut--\r\n`);
    upload.complete = true;
    await turns();
    jest.advanceTimersByTime(10 * 60_000);
    await turns();
    synced();
    expect(await received).toMatchObject({ filename: 'a.mbox', sizeBytes: 18 });
  });

  it('should wait for a disk that takes minutes to write while more data is arriving', async () => {
    let written = (): void => undefined;
    const upload = request();
    const received = receive(
      diskThat({ write: () => new Promise((resolve) => (written = resolve)) }),
      upload,
    );
    upload.write(HEAD);
    for (let sent = 0; sent < 4; sent++) upload.write(Buffer.alloc(MIB, 'x'));
    await turns();
    jest.advanceTimersByTime(10 * 60_000);
    upload.end('\r\n--cut--\r\n');
    upload.complete = true;
    for (let sent = 0; sent < 400; sent++) {
      written();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await received).toMatchObject({ sizeBytes: 4 * MIB });
  });

  it('should not wait for a client that sends nothing for a minute', async () => {
    const upload = request();
    const received = receive(diskThat({}), upload);
    upload.write(`${HEAD}From the beginning`);
    await turns();
    jest.advanceTimersByTime(61_000);
    await expect(received).rejects.toThrow(UploadStalled);
  });

  it('should not wait for a client that sends a byte now and then', async () => {
    const upload = request();
    const received = receive(diskThat({}), upload);
    const refused = expect(received).rejects.toThrow(UploadStalled);
    upload.write(HEAD);
    for (let second = 0; second < 130; second++) {
      upload.write('x');
      await turns();
      jest.advanceTimersByTime(1_000);
    }
    await refused;
  });

  it('should wait for a client that is slow but keeps sending', async () => {
    const upload = request();
    const received = receive(diskThat({}), upload);
    upload.write(HEAD);
    for (let minute = 0; minute < 20; minute++) {
      for (let sent = 0; sent < 8; sent++) upload.write(Buffer.alloc(64 * 1024, 'x'));
      await turns();
      jest.advanceTimersByTime(60_000);
    }
    upload.end('\r\n--cut--\r\n');
    upload.complete = true;
    expect(await received).toMatchObject({ sizeBytes: 20 * 512 * 1024 });
  });

  it('should end an upload that takes more than a day, even if only the disk is slow', async () => {
    let written = (): void => undefined;
    const deleted = jest.fn(async () => undefined);
    const disk = diskThat({ write: () => new Promise((resolve) => (written = resolve)), delete: deleted });
    const upload = request();
    const received = receive(disk, upload);
    const refused = expect(received).rejects.toThrow(new UploadStalled('The upload took longer than a day.'));
    upload.write(HEAD);
    for (let sent = 0; sent < 4; sent++) upload.write(Buffer.alloc(MIB, 'x'));
    await turns();
    jest.advanceTimersByTime(24 * 60 * 60_000 - 1);
    await turns();
    expect(deleted).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    written();
    await refused;
    expect(deleted).toHaveBeenCalledTimes(1);
  });

  it('should not start an upload without an allowance, and leave no file', async () => {
    const created = jest.fn();
    const held: number[] = [];
    const disk = Object.assign(diskThat({}), { create: created });
    const refuse = async (bytes: number): Promise<number> => {
      held.push(bytes);
      throw new TooManyUploads(2);
    };
    await expect(receive(disk, request(5 * MIB), refuse)).rejects.toThrow(TooManyUploads);
    expect(created).not.toHaveBeenCalled();
    expect(held).toEqual([5 * MIB]);
  });

  it('should end a body of unknown length at the quota', async () => {
    let written = 0;
    const upload = request();
    const disk = diskThat({ write: async (bytes) => void (written += bytes) });
    const hold = async (bytes: number): Promise<number> => {
      if (bytes > 3 * MIB) throw new UploadOverQuota();
      return 2 * MIB;
    };
    const refused = expect(receive(disk, upload, hold)).rejects.toThrow(UploadOverQuota);
    upload.write(HEAD);
    for (let sent = 0; sent < 10; sent++) upload.write(Buffer.alloc(MIB, 'x'));
    await refused;
    expect(written).toBeGreaterThan(2 * MIB);
    expect(written).toBeLessThanOrEqual(3 * MIB);
  });

  it('should report every minute that it is still in progress', async () => {
    const held: number[] = [];
    const upload = request(100 * MIB);
    const received = receive(diskThat({}), upload, async (bytes) => (held.push(bytes), Infinity));
    upload.write(HEAD);
    for (let minute = 0; minute < 3; minute++) {
      for (let sent = 0; sent < 8; sent++) upload.write(Buffer.alloc(64 * 1024, 'x'));
      await turns();
      jest.advanceTimersByTime(60_000);
    }
    upload.end('x\r\n--cut--\r\n');
    upload.complete = true;
    await received;
    expect(held).toEqual(Array(4).fill(100 * MIB));
  });

  describe('when the database does not respond for a while', () => {
    const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

    /** Sends for some minutes. @param fails whether the n-th call fails */
    const send = async (
      minutes: number,
      fails: (call: number) => Error | null,
      allowed = Infinity,
    ): Promise<{ calls: number; received: ReceivedFile | Error }> => {
      let calls = 0;
      const upload = request();
      const received = receive(diskThat({}), upload, async () => {
        const failure = fails((calls += 1));
        if (failure) throw failure;
        return allowed;
      }).catch((error: Error) => error);
      upload.write(HEAD);
      for (let minute = 0; minute < minutes; minute++) {
        for (let sent = 0; sent < 8; sent++) upload.write(Buffer.alloc(64 * 1024, 'x'));
        await turns();
        jest.advanceTimersByTime(60_000);
      }
      upload.end('x\r\n--cut--\r\n');
      upload.complete = true;
      return { calls, received: await received };
    };

    it.each([away, new TooManyAtOnce(), Object.assign(new Error('timeout'), { code: '57014' })])(
      'should continue within the granted bytes, and ask again (%s)',
      async (failure) => {
        const { calls, received } = await send(4, (call) => (call === 2 ? failure : null));
        expect(calls).toBeGreaterThan(3);
        expect(received).toMatchObject({ sizeBytes: 4 * 512 * 1024 + 1 });
      },
    );

    it('should neither start nor continue beyond the granted bytes', async () => {
      expect(await send(2, () => away)).toEqual({ calls: 1, received: away });
      expect((await send(4, (call) => (call > 1 ? away : null), MIB)).received).toBe(away);
    });

    it('should stop before another process expires the upload', async () => {
      const { received } = await send(14, (call) => (call > 1 ? away : null));
      expect(received).toBe(away);
    });

    it('should not continue after any other failure', async () => {
      const bug = new Error('a bug');
      expect((await send(4, (call) => (call > 1 ? bug : null))).received).toBe(bug);
    });
  });

  it('should notice at once that the client left while space was being requested', async () => {
    const upload = request();
    const hold = async (): Promise<number> => {
      upload.destroy();
      await turns();
      return Infinity;
    };
    await expect(receive(diskThat({}), upload, hold)).rejects.toThrow(ClientGone);
  });

  it('should end a body of unknown length when the disk space runs out', async () => {
    const room = [true, false];
    let written = 0;
    const deleted = jest.fn(async () => undefined);
    const upload = request();
    const received = receive(
      diskThat({
        write: async (bytes) => void (written += bytes),
        keepRoom: async () => room.shift() ?? false,
        delete: deleted,
      }),
      upload,
    );
    const refused = expect(received).rejects.toThrow(UploadSpaceExhausted);
    upload.write(HEAD);
    for (let sent = 0; sent < 40; sent++) upload.write(Buffer.alloc(MIB, 'x'));
    upload.end('\r\n--cut--\r\n');
    upload.complete = true;
    await refused;
    expect(written).toBeGreaterThan(0);
    // One granted step is smaller than the room that is left for all other uploads.
    expect(written).toBeLessThanOrEqual(16 * MIB);
    expect(deleted).toHaveBeenCalledTimes(1);
  });

  describe('on a disk with 60 MiB of free space', () => {
    let dataDir: string;
    let disk: UploadDirectory;
    let free: number;

    beforeEach(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'mailroom-uploads-'));
      disk = new UploadDirectory({ storage: { dataDir } } as AppConfig);
      free = (64 + 60) * MIB;
      const statfs = async (): Promise<unknown> => ({ bavail: free / 4096, bsize: 4096 });
      jest.spyOn(fs, 'statfs').mockImplementation(statfs as typeof fs.statfs);
    });

    afterEach(() => {
      jest.restoreAllMocks();
      rmSync(dataDir, { recursive: true });
    });

    /** Under way once this settles: something of it is in its file. */
    async function begin(
      announced: number,
    ): Promise<[PassThrough & { complete: boolean }, Promise<unknown>]> {
      const created = jest.spyOn(disk, 'create');
      const upload = request(announced);
      const received = receive(disk, upload).catch((error: unknown) => error);
      upload.write(`${HEAD}From the beginning`);
      while (created.mock.calls.length === 0) await turns();
      created.mockRestore();
      return [upload, received];
    }

    it('should refuse a second upload that does not fit beside the first, until the first is aborted', async () => {
      const [first, received] = await begin(40 * MIB);
      await expect(receive(disk, request(40 * MIB))).rejects.toThrow(UploadSpaceExhausted);
      first.emit('close');
      expect(await received).toBeInstanceOf(ClientGone);
      expect(readdirSync(join(dataDir, 'uploads'))).toEqual([]);
      const [second, aborted] = await begin(40 * MIB);
      second.emit('close');
      expect(await aborted).toBeInstanceOf(ClientGone);
    });

    it('should refuse a second upload that does not fit beside the first, until the first is complete', async () => {
      const [first, received] = await begin(40 * MIB);
      await expect(receive(disk, request(40 * MIB))).rejects.toThrow(UploadSpaceExhausted);
      first.end('\r\n--cut--\r\n');
      first.complete = true;
      expect(await received).toMatchObject({ sizeBytes: 18 });
      const [second, aborted] = await begin(40 * MIB);
      second.emit('close');
      expect(await aborted).toBeInstanceOf(ClientGone);
    });

    it('should accept one of two simultaneous uploads that do not fit together', async () => {
      const uploads = [request(40 * MIB), request(40 * MIB)];
      const ends = Promise.all(
        uploads.map((upload) => receive(disk, upload).catch((error: unknown) => error)),
      );
      while (jest.mocked(fs.statfs).mock.calls.length < 2) await turns();
      await turns();
      for (const upload of uploads) upload.emit('close');
      const names = (await ends).map((end) => (end as Error).constructor.name);
      expect(names.sort()).toEqual([ClientGone.name, UploadSpaceExhausted.name]);
    });

    it('should not reserve space for written bytes again, and accept an upload that fills the disk', async () => {
      const mibs = 59;
      const upload = request(60 * MIB);
      const received = receive(disk, upload);
      const all = free;
      jest.mocked(fs.statfs).mockImplementation((async () => {
        const [name] = readdirSync(join(dataDir, 'uploads'));
        const { size } = name ? await fs.stat(join(dataDir, 'uploads', name)) : { size: 0 };
        return { bavail: Math.floor((all - size) / 4096), bsize: 4096 };
      }) as unknown as typeof fs.statfs);
      upload.write(HEAD);
      for (let sent = 0; sent < mibs; sent++) upload.write(Buffer.alloc(MIB, 'x'));
      upload.end('\r\n--cut--\r\n');
      upload.complete = true;
      expect(await received).toMatchObject({ sizeBytes: mibs * MIB });
    });

    it('should end an upload of known length when others take the space it needs', async () => {
      const [upload, received] = await begin(60 * MIB);
      free -= 40 * MIB;
      for (let sent = 0; sent < 30; sent++) upload.write(Buffer.alloc(MIB, 'x'));
      expect(await received).toBeInstanceOf(UploadSpaceExhausted);
      expect(readdirSync(join(dataDir, 'uploads'))).toEqual([]);
    });
  });
});
