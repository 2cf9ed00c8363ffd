import { Logger } from '@nestjs/common';
import type { AuditTrail } from '../../platform/access/audit-trail.port';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ArchivedMailsRepository } from './archived-mails.repository';
import { ObjectMissing } from '../files/archive-store.errors';
import type { ArchiveStore, ArchiveStores, ByteRange } from '../files/archive-store.port';
import { encryptMail } from '../passphrases/encrypted-file';
import { MailUndecryptable, MailsEncrypted } from '../passphrases/encryption.errors';
import type { LocatedMail } from './mail-content-reader';
import { deriveMailKey, MailKeys } from '../passphrases/mail-keys';
import type { PassphrasesService } from '../passphrases/passphrases.service';
import { MailContentReader } from './mail-content-reader';

const MIB = 1024 * 1024;
const PASSPHRASE = 'correct horse';
const salt = randomBytes(32);

describe('MailContentReader', () => {
  let files: Map<string, Buffer>;
  let gets: (ByteRange | undefined)[];
  let streams: Readable[];
  let rows: Map<string, LocatedMail>;
  let unlock: jest.Mock;
  let key: Buffer;
  let keys: MailKeys;
  let sut: MailContentReader;

  const located = (id: string, sizeBytes: number, isEncrypted: boolean): LocatedMail => ({
    id,
    accountId: 'account',
    storage: 'local',
    storageKey: isEncrypted ? `${id}.encrypted` : id,
    sizeBytes,
    sha256: '',
    isEncrypted,
  });
  /** Stores a mail, encrypted. */
  const stored = (id: string, plain: Buffer): LocatedMail => {
    const file = encryptMail(plain, key, salt);
    const mail = { ...located(id, plain.length, true), sha256: hash(file) };
    files.set(mail.storageKey, file);
    rows.set(id, mail);
    return mail;
  };
  const collect = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray());
  const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

  beforeAll(async () => {
    key = await deriveMailKey(PASSPHRASE, salt);
  });

  beforeEach(() => {
    [files, gets, streams, rows] = [new Map(), [], [], new Map()];
    const get = async (name: string, range?: ByteRange): Promise<Readable> => {
      gets.push(range);
      const file = files.get(name);
      if (!file) throw new ObjectMissing();
      const part = range ? file.subarray(range.start, range.end + 1) : file;
      const chunks = function* (): Generator<Buffer> {
        for (let at = 0; at < part.length; at += 65_536) yield part.subarray(at, at + 65_536);
      };
      const stream = Readable.from(chunks(), { objectMode: false });
      streams.push(stream);
      return stream;
    };
    const store: Pick<ArchiveStore, 'get' | 'read'> = { get, read: async (name) => collect(await get(name)) };
    unlock = jest.fn(async () => new MailKeys(PASSPHRASE));
    keys = new MailKeys(PASSPHRASE);
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    sut = new MailContentReader(
      { find: async () => store as ArchiveStore } as Partial<ArchiveStores> as ArchiveStores,
      {
        findOwned: async (account: string, id: string) =>
          account === 'account' ? (rows.get(id) ?? null) : null,
      } as Partial<ArchivedMailsRepository> as ArchivedMailsRepository,
      { unlock } as Partial<PassphrasesService> as PassphrasesService,
      { record: async () => undefined } as Partial<AuditTrail> as AuditTrail,
    );
  });

  it.each([0, 1, 1_000, MIB, MIB + 1, 5 * MIB])('should read a mail of %i bytes', async (size) => {
    const plain = randomBytes(size);
    expect(hash(await sut.read(stored('m', plain), keys))).toBe(hash(plain));
  });

  it.each<[number, number, number]>([
    [1_000, 0, 999],
    [1_000, 17, 18],
    [3 * MIB, 0, 3 * MIB - 1],
    [3 * MIB, 2 * MIB + 5, 2 * MIB + 5],
    [3 * MIB, 1_000_003, 2_000_001],
  ])('should read from a mail of %i bytes those from %i to %i', async (size, start, end) => {
    const plain = randomBytes(size);
    const part = await collect(await sut.open(stored('m', plain), keys, { start, end }));
    expect(hash(part)).toBe(hash(plain.subarray(start, end + 1)));
  });

  it('should return nothing of a large mail before all of it is authenticated', async () => {
    const mail = stored('m', randomBytes(3 * MIB));
    const file = files.get(mail.storageKey)!;
    file.writeUInt8(file.readUInt8(file.length - 1) ^ 1, file.length - 1);
    await expect(sut.open(mail, keys, { start: 0, end: 9 })).rejects.toThrow(MailUndecryptable);
    expect(gets).toHaveLength(1);
  });

  it('should read a large mail in passes, not all at once', async () => {
    const mail = stored('m', randomBytes(3 * MIB));
    const largest = Math.max(
      ...(await (await sut.open(mail, keys)).map((chunk: Buffer) => chunk.length).toArray()),
    );
    expect(largest).toBeLessThan(MIB);
    expect(gets).toHaveLength(2);
  });

  it.each([
    ['another key', () => new MailKeys('another one')],
    ['a file cut short', () => (files.set('m.encrypted', files.get('m.encrypted')!.subarray(0, 40)), keys)],
    ['a plain file', () => (files.set('m.encrypted', Buffer.alloc(200, 'Subject: x')), keys)],
  ])('should reject a file that is not the mail: %s', async (_what, change) => {
    const mail = stored('m', randomBytes(1_000));
    const used = change();
    await expect(sut.read(mail, used)).rejects.toThrow(MailUndecryptable);
    await expect(sut.open(mail, used)).rejects.toThrow(MailUndecryptable);
  });

  it.each([1_000, 3 * MIB])('should reject the file of another mail of %i bytes', async (size) => {
    const [mail, other] = [stored('m', randomBytes(size)), stored('other', randomBytes(size))];
    files.set(mail.storageKey, files.get(other.storageKey)!);
    await expect(sut.read(mail, keys)).rejects.toThrow(MailUndecryptable);
    await expect(sut.open(mail, keys)).rejects.toThrow(MailUndecryptable);
    await expect(sut.open(mail, keys, { start: 0, end: 9 })).rejects.toThrow(MailUndecryptable);
  });

  it.each([1_000, 3 * MIB])(
    'should close the file of a mail of %i bytes for which there is no key',
    async (size) => {
      const mail = stored('m', randomBytes(size));
      jest.spyOn(keys, 'deriveKey').mockRejectedValue(new Error('no worker'));
      await expect(sut.read(mail, keys)).rejects.toThrow('no worker');
      await expect(sut.open(mail, keys)).rejects.toThrow('no worker');
      expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    },
  );

  it('should look up a mail once more when it has been encrypted in the meantime', async () => {
    const plain = randomBytes(2 * MIB);
    stored('m', plain);
    const stale = located('m', plain.length, false);
    expect(hash(await sut.read(stale, keys))).toBe(hash(plain));
    expect(hash(await collect(await sut.open(stale, keys, { start: 0, end: 99 })))).toBe(
      hash(plain.subarray(0, 100)),
    );
    await expect(sut.read(stale, null)).rejects.toThrow(MailsEncrypted);
    await expect(sut.open(stale, null)).rejects.toThrow(MailsEncrypted);
  });

  it('should report a missing file when its row is gone or unchanged', async () => {
    await expect(sut.read(located('gone', 5, false), null)).rejects.toThrow(ObjectMissing);
    rows.set('m', located('m', 5, false));
    await expect(sut.read(located('m', 5, false), null)).rejects.toThrow(ObjectMissing);
  });

  it('should require a passphrase only for encrypted mail', async () => {
    expect(await sut.unlock('user', located('m', 5, false), 'whatever')).toBeNull();
    const mail = stored('m', randomBytes(10));
    await expect(sut.unlock('user', mail, null)).rejects.toThrow(MailsEncrypted);
    expect(unlock).not.toHaveBeenCalled();
    await sut.unlock('user', mail, PASSPHRASE);
    expect(unlock).toHaveBeenCalledWith('user', PASSPHRASE, salt);
  });

  it('should check the passphrase even when the file is missing or not encrypted', async () => {
    for (const file of [undefined, Buffer.from('Subject: x')]) {
      if (file) files.set('m.encrypted', file);
      await sut.unlock('user', located('m', 10, true), PASSPHRASE);
    }
    expect(unlock.mock.calls.map(([, , given]) => (given as Buffer).length)).toEqual([32, 32]);
  });
});
