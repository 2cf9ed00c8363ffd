import { Injectable } from '@nestjs/common';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { MailContentReader, type ReadMailOptions } from '../../archive/mails/mail-content-reader';
import { isDamage, ObjectMissing } from '../../archive/files/archive-store.errors';
import { type ArchiveStore, ArchiveStores, type ManyRead } from '../../archive/files/archive-store.port';
import type { StoredMail } from '../../archive/mails/stored-mails';
import { MailsEncrypted } from '../../archive/passphrases/encryption.errors';

/** Size up to which files are read many at a time. */
export const SMALL_MAIL = 512 * 1024;

/** Reasons why a mail could not be scanned; stable codes. */
export type Unreadable = 'encrypted' | 'archived-file-missing' | 'archived-file-altered';

/** Simultaneous reads from a store that reads mails one by one: enough to hide the latency of an object store. */
const READS_AT_ONCE = 8;

/** Reads the files of mails for a scan: many small ones at once where the store can. */
@Injectable()
export class PiiMailLoader {
  constructor(
    private readonly stores: ArchiveStores,
    private readonly mailBytes: MailContentReader,
  ) {}

  /**
   * The messages of some mails of one store, in their order.
   * @param room waits for the memory they take, see `ReadOptions`; may be called again
   * @throws what an unavailable store throws, and the signal's reason
   */
  async loadAll(
    mails: readonly StoredMail[],
    signal: AbortSignal,
    room: () => Promise<void>,
  ): Promise<(Buffer | Unreadable)[]> {
    const store = await this.stores.find(mails[0]!.storage);
    const isLarge = mails.some(({ sizeBytes }) => sizeBytes > SMALL_MAIL);
    // A large mail is alone, and reserves its memory only when it has arrived.
    if (!isLarge) await room();
    const many = isLarge ? undefined : await readMany(store, mails);
    const options = isLarge ? { signal, room } : { signal };
    const contents: (Buffer | Unreadable)[] = [];
    await forEachConcurrently(mails.entries(), READS_AT_ONCE, async ([index, mail]) => {
      signal.throwIfAborted();
      const content = many?.[index];
      contents[index] =
        content instanceof Buffer ? content : await this.readOne(mail, store, content, options);
    });
    return contents;
  }

  /** @param content the result of reading it together with others, if that was tried */
  private async readOne(
    mail: StoredMail,
    store: ArchiveStore,
    content: ManyRead | undefined,
    options: ReadMailOptions,
  ): Promise<Buffer | Unreadable> {
    if (content === 'larger') return 'archived-file-altered';
    try {
      // The mail is read by its current row, because its file has moved.
      if (content === null) return await this.mailBytes.read(mail, null, options);
      // The limit is one byte more, so that a longer file is noticed without being read.
      const atMost = mail.sizeBytes + 1;
      return await store.read(mail.storageKey, { ...options, retryOutages: true, atMost });
    } catch (error) {
      if (error instanceof MailsEncrypted) return 'encrypted';
      if (isDamage(error)) return 'archived-file-altered';
      if (!(error instanceof ObjectMissing)) throw error;
      return content === undefined ? this.readOne(mail, store, null, options) : 'archived-file-missing';
    }
  }
}

/** Reads mails together; undefined when the store cannot, or one of them cannot be read. */
async function readMany(store: ArchiveStore, mails: readonly StoredMail[]): Promise<ManyRead[] | undefined> {
  if (!store.readMany) return undefined;
  try {
    return await store.readMany(mails.map(({ storageKey: key, sizeBytes: size }) => ({ key, size })));
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}
