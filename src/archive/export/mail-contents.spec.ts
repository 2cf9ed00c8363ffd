import { Readable } from 'node:stream';
import { ObjectMissing } from '../store/archive-store.errors';
import type { ArchiveStore, ArchiveStores } from '../store/archive-store.port';
import { type ExportedMail, type MailContent, openContent } from './exported-mail';
import { MailContents } from './mail-contents';

const KIB = 1024;

const mailOf = (number: number, sizeBytes: number, storage = 'bucket'): ExportedMail => ({
  id: `mail-${number}`,
  messageId: `<${number}@example.com>`,
  subject: '',
  sender: '',
  date: new Date(0),
  sizeBytes,
  sha256: '',
  storage,
  storageKey: `key-${number}`,
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

describe('MailContents', () => {
  const storesOf = (store: Partial<ArchiveStore>): ArchiveStores =>
    ({ named: async () => store as ArchiveStore }) as Partial<ArchiveStores> as ArchiveStores;

  async function* pagesOf(...mails: ExportedMail[]): AsyncGenerator<ExportedMail[]> {
    for (let at = 0; at < mails.length; at += 100) yield mails.slice(at, at + 100);
  }

  const many = (count: number, sizeBytes: number): ExportedMail[] =>
    Array.from({ length: count }, (_, number) => mailOf(number, sizeBytes));

  const drain = async (batches: AsyncIterable<MailContent[]>): Promise<string[]> => {
    const seen: string[] = [];
    for await (const batch of batches) {
      for (const item of batch) {
        const content = await openContent(item);
        const text = content instanceof Readable ? (await content.toArray()).join('') : String(content);
        seen.push(`${item.mail.id} ${text}`);
      }
    }
    return seen;
  };

  it('should hide the latency of a store and keep the order', async () => {
    const store = new SlowStore(20);
    const startedAt = performance.now();
    const seen = await drain(new MailContents(storesOf(store)).read(pagesOf(...many(400, 10 * KIB))));
    // One after another they would take eight seconds.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(seen).toEqual(many(400, 0).map(({ id, storageKey }) => `${id} ${storageKey}`));
    expect(store.mostInFlight).toBeLessThanOrEqual(64);
  });

  it('should hold a few megabytes at most', async () => {
    const store = new SlowStore(1);
    const sut = new MailContents(storesOf(store)).read(pagesOf(...many(100, 500 * KIB)));
    await sut.next();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(store.reads.length).toBeLessThanOrEqual(6);
    await sut.return(undefined);
  });

  it('should begin no read once nobody takes the mails', async () => {
    const store = new SlowStore(20);
    const sut = new MailContents(storesOf(store)).read(pagesOf(...many(400, KIB)));
    for (let batches = 0; batches < 6; batches++) await sut.next();
    const begun = store.reads.length;
    await sut.return(undefined);
    expect(store.reads).toHaveLength(begun);
    expect(store.inFlight).toBe(0);
    expect(begun).toBeLessThan(400);
  });

  it('should open large mails when their turn comes, and say which are lost', async () => {
    const store = new SlowStore(1);
    const lost = { ...mailOf(9, KIB), storageKey: 'key-lost' };
    const mails = [
      mailOf(1, KIB),
      mailOf(2, 600 * KIB),
      lost,
      { ...lost, sizeBytes: 600 * KIB },
      mailOf(3, KIB),
    ];
    const sut = new MailContents(storesOf(store)).read(pagesOf(...mails));
    const first = await sut.next();
    expect((first.value as MailContent[]).map(({ mail }) => mail.id)).toEqual(['mail-1']);
    expect(store.opened).toBe(0);
    expect(await drain(sut)).toEqual(['mail-2 key-2', 'mail-9 null', 'mail-9 null', 'mail-3 key-3']);
  });

  it('should stream a mail that has grown since it was archived', async () => {
    const stores = storesOf({
      readMany: async (objects) => objects.map(() => 'larger'),
      get: async (key) => Readable.from([Buffer.from(`grown ${key}`)]),
    });
    expect(await drain(new MailContents(stores).read(pagesOf(mailOf(1, KIB))))).toEqual([
      'mail-1 grown key-1',
    ]);
  });

  it('should fail with what the store fails with', async () => {
    const stores = storesOf({ read: async () => Promise.reject(new Error('no connection')) });
    await expect(drain(new MailContents(stores).read(pagesOf(...many(10, KIB))))).rejects.toThrow(
      'no connection',
    );
  });

  it('should ask each store for its own mails', async () => {
    const asked: string[] = [];
    const named = async (storage: string): Promise<ArchiveStore> =>
      ({
        read: async (key: string) => Buffer.from(`${storage} ${asked.push(storage)} ${key}`),
      }) as Partial<ArchiveStore> as ArchiveStore;
    const mails = [mailOf(1, 1, 'a'), mailOf(2, 1, 'b'), mailOf(3, 1, 'b'), mailOf(4, 1, 'a')];
    await drain(
      new MailContents({ named } as Partial<ArchiveStores> as ArchiveStores).read(pagesOf(...mails)),
    );
    expect(asked.sort()).toEqual(['a', 'a', 'b', 'b']);
  });
});
