import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ArchiveStore } from '../../archive/files/archive-store.port';
import { LargeMail } from './large-mail';
import type { PlainMail } from './mail-to-encrypt';

const bytes = randomBytes(300_000);
const plain: PlainMail = {
  id: 'mail',
  messageId: 'message',
  position: { date: '2024-02-29', id: 'x' },
  storage: 'local',
  storageKey: 'plain',
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  isRecent: false,
};
const cipher = { key: randomBytes(32), salt: randomBytes(32) };
const { signal } = new AbortController();
const broken = (): Error => Object.assign(new Error('i/o error'), { code: 'EIO' });

describe('LargeMail', () => {
  let files: Map<string, Buffer>;
  let store: ArchiveStore;

  beforeEach(() => {
    files = new Map([['plain', bytes]]);
    const doubled: Partial<ArchiveStore> = {
      get: async (key) =>
        Readable.from([files.get(key)!.subarray(0, 1_000), files.get(key)!.subarray(1_000)]),
      putStream: async (key, _size, open) => {
        const chunks: Buffer[] = [];
        for await (const chunk of open()) chunks.push(chunk);
        files.set(key, Buffer.concat(chunks));
      },
    };
    store = doubled as ArchiveStore;
  });

  const examined = async (): Promise<LargeMail> =>
    (await LargeMail.examine(plain, store, cipher, signal)) as LargeMail;

  it('should return the hash of the written file', async () => {
    const answer = await (await examined()).write('encrypted', signal);
    expect(answer).toBe(createHash('sha256').update(files.get('encrypted')!).digest('hex'));
  });

  it('should refuse a file that is altered before or after it was examined', async () => {
    const mail = await examined();
    files.set('plain', Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]));
    expect(await LargeMail.examine(plain, store, cipher, signal)).toEqual({
      problem: 'archived-file-altered',
    });
    expect(await mail.write('encrypted', signal)).toEqual({ problem: 'archived-file-altered' });
    expect([...files.keys()]).toEqual(['plain']);
  });

  it('should refuse a file that cannot be read', async () => {
    store.get = async () => Readable.from([bytes.subarray(0, 10)]).map(() => Promise.reject(broken()));
    expect(await LargeMail.examine(plain, store, cipher, signal)).toEqual({
      problem: 'archived-file-altered',
    });
  });

  it('should not blame the mail when the encrypted file cannot be written', async () => {
    const mail = await examined();
    store.putStream = () => Promise.reject(broken());
    await expect(mail.write('encrypted', signal)).rejects.toThrow('i/o error');
  });

  it('should throw when the file that is read back differs from the written one', async () => {
    const mail = await examined();
    const { putStream } = store;
    store.putStream = async (key, ...rest) => {
      await putStream(key, ...rest);
      files.get(key)![500]! ^= 1;
    };
    await expect(mail.write('encrypted', signal)).rejects.toThrow();
  });
});
