import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { AppConfig } from '../../config/app-config';
import { type ReceivedFile, UploadReceiver } from './upload-receiver';
import type { UploadDirectory } from './upload-directory';
import { UploadStalled } from './upload.errors';

const MIB = 1024 * 1024;
const HEAD =
  '--cut\r\nContent-Disposition: form-data; name="file"; filename="a.mbox"\r\n' +
  'Content-Type: application/mbox\r\n\r\n';

/** A disk on which everything succeeds, each call when `until` allows. */
function diskThat(until: Partial<Record<'write' | 'sync', () => Promise<void>>>): UploadDirectory {
  const handle = {
    write: async (chunk: Buffer, at: number) => {
      await until.write?.();
      return { bytesWritten: chunk.length - at };
    },
    datasync: async () => undefined,
    sync: () => until.sync?.() ?? Promise.resolve(),
    close: async () => undefined,
  };
  return {
    hasRoomFor: async () => true,
    create: async () => handle,
    complete: async () => undefined,
    remove: async () => undefined,
  } as unknown as UploadDirectory;
}

function request(): PassThrough & { complete: boolean } {
  const headers = { 'content-type': 'multipart/form-data; boundary=cut' };
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

  const receive = (disk: UploadDirectory, upload: PassThrough): Promise<ReceivedFile> =>
    new UploadReceiver(disk, config).receive(upload as unknown as IncomingMessage);

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

  it('should wait for a disk that takes minutes to write while more is to come', async () => {
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

  it('should wait for a client that is slow and moves', async () => {
    const upload = request();
    const received = receive(diskThat({}), upload);
    upload.write(HEAD);
    for (let minute = 0; minute < 20; minute++) {
      upload.write(Buffer.alloc(16 * 1024, 'x'));
      await turns();
      jest.advanceTimersByTime(60_000);
    }
    upload.end('\r\n--cut--\r\n');
    upload.complete = true;
    expect(await received).toMatchObject({ sizeBytes: 20 * 16 * 1024 });
  });
});
