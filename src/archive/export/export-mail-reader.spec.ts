import { Logger } from '@nestjs/common';
import type { AuditTrail } from '../../platform/access/audit-trail.port';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { encryptMail, HEADER_BYTES } from '../passphrases/encrypted-file';
import { PassphraseInvalid } from '../passphrases/encryption.errors';
import { MailKeys } from '../passphrases/mail-keys';
import type { PassphrasesService } from '../passphrases/passphrases.service';
import { MailContentReader } from '../mails/mail-content-reader';
import type { ArchivedMailEntity } from '../mails/archived-mail.entity';
import type { ArchivedMailsRepository } from '../mails/archived-mails.repository';
import { ObjectMissing } from '../files/archive-store.errors';
import type { ArchiveStore, ArchiveStores } from '../files/archive-store.port';
import { ExportKeys } from './export-keys';
import { type ExportedMail, type MailContent, openContent, type UnreadMail } from './exported-mail';
import { ExportMailReader } from './export-mail-reader';

const KIB = 1024;

const mailOf = (number: number, sizeBytes: number, storage = 'bucket'): ExportedMail => ({
  id: `mail-${number}`,
  messageId: `<${number}@example.com>`,
  subject: '',
  sender: '',
  date: new Date(0),
  receivedAt: null,
  dateSource: null,
  sizeBytes,
  sha256: '',
  storage,
  storageKey: `key-${number}`,
  accountId: 'account',
  isEncrypted: false,
  rebuiltFrom: null,
  envelope: null,
});

/** A store that answers after some milliseconds, as those beyond a network do. */
class SlowStore {
  readonly reads: string[] = [];
  inFlight = 0;
  mostInFlight = 0;
  opened = 0;

  constructor(private readonly latencyMs: number) {}

  async read(key: string): Promise<Buffer> {
    this.reads.push(key);
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    await new Promise((resolve) => setTimeout(resolve, this.latencyMs));
    this.inFlight -= 1;
    if (key === 'key-lost') throw new ObjectMissing();
    return Buffer.from(key);
  }

  async get(key: string): Promise<Readable> {
    this.opened += 1;
    if (key === 'key-lost') throw new ObjectMissing();
    return Readable.from([Buffer.from(key)]);
  }
}

describe('openContent', () => {
  const storesOf = (store: Partial<ArchiveStore>): ArchiveStores =>
    ({ find: async () => store as ArchiveStore }) as Partial<ArchiveStores> as ArchiveStores;

  async function* pagesOf(...mails: ExportedMail[]): AsyncGenerator<ExportedMail[]> {
    for (let at = 0; at < mails.length; at += 100) yield mails.slice(at, at + 100);
  }

  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  });

  const none = new ExportKeys({} as PassphrasesService, 'user', null);

  /** @param rows of mails as they are now, where that matters */
  const contentsOf = (stores: ArchiveStores, rows: readonly ExportedMail[] = []): ExportMailReader => {
    const findOwned = async (_accountId: string, id: string): Promise<ArchivedMailEntity | null> =>
      (rows.find((row) => row.id === id) as unknown as ArchivedMailEntity | undefined) ?? null;
    const mails = { findOwned } as Partial<ArchivedMailsRepository> as ArchivedMailsRepository;
    return new ExportMailReader(
      stores,
      new MailContentReader(stores, mails, {} as PassphrasesService, {} as AuditTrail),
    );
  };

  const many = (count: number, sizeBytes: number): ExportedMail[] =>
    Array.from({ length: count }, (_, number) => mailOf(number, sizeBytes));

  const drain = async (batches: AsyncIterable<MailContent[]>): Promise<string[]> => {
    const seen: string[] = [];
    for await (const batch of batches) {
      for (const { mail, content: found } of batch) {
        const content = Buffer.isBuffer(found) ? found : await openContent({ mail, content: found });
        const text = content instanceof Readable ? (await content.toArray()).join('') : String(content);
        seen.push(`${mail.id} ${text}`);
      }
    }
    return seen;
  };

  it('should hide the latency of a store and keep the order', async () => {
    const store = new SlowStore(20);
    const startedAt = performance.now();
    const seen = await drain(contentsOf(storesOf(store)).read(pagesOf(...many(400, 10 * KIB)), none));
    // One after another they would take eight seconds.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(seen).toEqual(many(400, 0).map(({ id, storageKey }) => `${id} ${storageKey}`));
    expect(store.mostInFlight).toBeLessThanOrEqual(64);
  });

  it('should hold a few megabytes at most', async () => {
    const store = new SlowStore(1);
    const sut = contentsOf(storesOf(store)).read(pagesOf(...many(100, 500 * KIB)), none);
    await sut.next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(store.reads.length).toBeLessThanOrEqual(6);
    await sut.return(undefined);
  });

  it('should start no read once the consumer has stopped', async () => {
    const store = new SlowStore(20);
    const sut = contentsOf(storesOf(store)).read(pagesOf(...many(400, KIB)), none);
    for (let batches = 0; batches < 6; batches++) await sut.next();
    const begun = store.reads.length;
    await sut.return(undefined);
    expect(store.reads).toHaveLength(begun);
    expect(store.inFlight).toBe(0);
    expect(begun).toBeLessThan(400);
  });

  it('should open large mails when their turn comes, and report missing ones', async () => {
    const store = new SlowStore(1);
    const lost = { ...mailOf(9, KIB), storageKey: 'key-lost' };
    const mails = [
      mailOf(1, KIB),
      mailOf(2, 600 * KIB),
      lost,
      { ...lost, sizeBytes: 600 * KIB },
      mailOf(3, KIB),
    ];
    const sut = contentsOf(storesOf(store)).read(pagesOf(...mails), none);
    const first = await sut.next();
    expect((first.value as MailContent[]).map(({ mail }) => mail.id)).toEqual(['mail-1']);
    expect(store.opened).toBe(0);
    expect(await drain(sut)).toEqual(['mail-2 key-2', 'mail-9 missing', 'mail-9 missing', 'mail-3 key-3']);
  });

  it('should open large mails even after all other mails have been read', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const store: Partial<ArchiveStore> = {
      get: async (_key, _range, options) => {
        signals.push(options?.signal);
        return Readable.from([Buffer.from('large')]);
      },
    };
    const mails = pagesOf(mailOf(0, KIB * KIB), mailOf(1, KIB * KIB));
    const found: MailContent[] = [];
    for await (const batch of contentsOf(storesOf(store)).read(mails, none)) found.push(...batch);
    for (const mail of found) await openContent(mail as UnreadMail);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
  });

  it('should stream a mail that has grown since it was archived', async () => {
    const stores = storesOf({
      readMany: async (objects) => objects.map(() => 'larger'),
      get: async (key) => Readable.from([Buffer.from(`grown ${key}`)]),
    });
    expect(await drain(contentsOf(stores).read(pagesOf(mailOf(1, KIB)), none))).toEqual([
      'mail-1 grown key-1',
    ]);
  });

  it('should fail with the error of the store', async () => {
    const stores = storesOf({ read: async () => Promise.reject(new Error('no connection')) });
    await expect(drain(contentsOf(stores).read(pagesOf(...many(10, KIB)), none))).rejects.toThrow(
      'no connection',
    );
  });

  it('should read each mail from its own store', async () => {
    const asked: string[] = [];
    const named = async (storage: string): Promise<ArchiveStore> =>
      ({
        read: async (key: string) => Buffer.from(`${storage} ${asked.push(storage)} ${key}`),
      }) as Partial<ArchiveStore> as ArchiveStore;
    const mails = [mailOf(1, 99, 'a'), mailOf(2, 99, 'b'), mailOf(3, 99, 'b'), mailOf(4, 99, 'a')];
    await drain(
      contentsOf({ find: named } as Partial<ArchiveStores> as ArchiveStores).read(pagesOf(...mails), none),
    );
    expect(asked.sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  describe('of encrypted mails', () => {
    const SALT = randomBytes(32);
    const unlock = jest.fn(async () => new MailKeys('correct horse'));
    const passphrases = { unlock } as Partial<PassphrasesService> as PassphrasesService;
    const withPassphrase = (): ExportKeys => new ExportKeys(passphrases, 'user', 'correct horse');
    let key: Buffer;

    const encryptedMail = (number: number, message: Buffer): { mail: ExportedMail; file: Buffer } => {
      const file = encryptMail(message, key, SALT);
      const sha256 = createHash('sha256').update(file).digest('hex');
      const storageKey = `run/key-${number}`;
      return { mail: { ...mailOf(number, message.length), isEncrypted: true, storageKey, sha256 }, file };
    };

    /** A store of some files. */
    const holding = (files: ReadonlyMap<string, Buffer>): ArchiveStores => {
      const read = async (name: string): Promise<Buffer> => {
        const file = files.get(name);
        if (!file) throw new ObjectMissing();
        return file;
      };
      return storesOf({
        read,
        get: async (name, range) => {
          const file = await read(name);
          return Readable.from([file.subarray(range?.start ?? 0, (range?.end ?? file.length) + 1)]);
        },
      });
    };

    beforeAll(async () => {
      key = await new MailKeys('correct horse').deriveKey(SALT);
    });
    beforeEach(() => unlock.mockClear());

    it('should decrypt small and large mails, and check the passphrase once', async () => {
      const mails = [Buffer.from('small'), Buffer.alloc(1_500 * KIB, 'large '), Buffer.alloc(0)].map(
        (message, number) => ({ message, ...encryptedMail(number, message) }),
      );
      const stores = holding(new Map(mails.map(({ mail, file }) => [mail.storageKey, file])));
      const pages = pagesOf(...mails.map(({ mail }) => mail), { ...mailOf(9, 4), storageKey: 'run/key-0' });
      const seen = await drain(contentsOf(stores).read(pages, withPassphrase()));
      expect(seen.slice(0, 3)).toEqual(mails.map(({ mail, message }) => `${mail.id} ${message.toString()}`));
      expect(unlock).toHaveBeenCalledTimes(1);
    });

    it('should not check the passphrase when nothing is encrypted', async () => {
      const stores = holding(new Map([['key-1', Buffer.from('plain')]]));
      expect(await drain(contentsOf(stores).read(pagesOf(mailOf(1, 5)), withPassphrase()))).toEqual([
        'mail-1 plain',
      ]);
      expect(unlock).not.toHaveBeenCalled();
    });

    it.each([4, 600 * KIB])('should report a mail of %i bytes that cannot be decrypted', async (size) => {
      const { mail, file } = encryptedMail(1, Buffer.alloc(size, 'x'));
      file.writeUInt8(file.readUInt8(HEADER_BYTES) ^ 1, HEADER_BYTES);
      const stores = holding(new Map([[mail.storageKey, file]]));
      expect(await drain(contentsOf(stores, [mail]).read(pagesOf(mail), withPassphrase()))).toEqual([
        'mail-1 altered',
      ]);
    });

    it.each([4, 600 * KIB])('should not accept the file of another mail of %i bytes', async (size) => {
      const [one, other] = [1, 2].map((number) => encryptedMail(number, Buffer.alloc(size, `${number}`)));
      const stores = holding(new Map([[one!.mail.storageKey, other!.file]]));
      expect(await drain(contentsOf(stores, [one!.mail]).read(pagesOf(one!.mail), withPassphrase()))).toEqual(
        ['mail-1 altered'],
      );
    });

    it.each([4, 600 * KIB])(
      'should read a mail of %i bytes that was encrypted in the meantime',
      async (size) => {
        const { mail, file } = encryptedMail(1, Buffer.alloc(size, 'x'));
        const stores = holding(new Map([[mail.storageKey, file]]));
        const before = mailOf(1, size);
        const read = (keys: ExportKeys): Promise<string[]> =>
          drain(contentsOf(stores, [mail]).read(pagesOf(before), keys));
        expect(await read(withPassphrase())).toEqual([`mail-1 ${'x'.repeat(size)}`]);
        expect(await read(none)).toEqual(['mail-1 encrypted']);
        unlock.mockRejectedValueOnce(new PassphraseInvalid());
        expect(await read(withPassphrase())).toEqual(['mail-1 encrypted']);
        expect(await drain(contentsOf(stores).read(pagesOf(before), none))).toEqual(['mail-1 missing']);
      },
    );

    it('should report a mail as encrypted when its row says so', async () => {
      const { mail, file } = encryptedMail(1, Buffer.from('x'));
      const stores = holding(new Map([[mail.storageKey, file]]));
      expect(await drain(contentsOf(stores, [mail]).read(pagesOf(mail), none))).toEqual(['mail-1 encrypted']);
    });
  });
});
