import { Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { decryptMail, HEADER_BYTES, NotDecryptable, readHeader } from '../passphrases/encrypted-file';
import { MailUndecryptable, MailsEncrypted } from '../passphrases/encryption.errors';
import { MailContentReader } from '../mails/mail-content-reader';
import type { MailKeys } from '../passphrases/mail-keys';
import { ObjectMissing } from '../files/archive-store.errors';
import { ArchiveStore, ArchiveStores, ManyRead, SmallObject } from '../files/archive-store.port';
import type { ExportKeys } from './export-keys';
import type { Absence, ExportedMail, MailContent } from './exported-mail';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { mapInOrder } from '../../platform/concurrency/map-in-order';

/** Mails up to this size are read whole and ahead; larger ones are streamed. */
const READ_WHOLE = 512 * 1024;
/** Size of a batch. The first batches are smaller, so that the first byte does not wait for a megabyte. */
const BATCH = { bytes: 1024 * 1024, mails: 64, firstMails: 2 };
/** Batches read ahead; with the one being written, an export holds three megabytes. */
const BATCHES_AHEAD = 2;
/** Simultaneous reads from a store that reads mails one by one: enough to hide the latency of an object store. */
const READS_AT_ONCE = 32;

/**
 * Reads messages in the order of their mails, ahead of the consumer, in constant memory. Rows may be minutes
 * old by then, so the row of a mail whose file is not found is read once more.
 */
@Injectable()
export class ExportMailReader {
  private readonly logger = new Logger(ExportMailReader.name);

  constructor(
    private readonly stores: ArchiveStores,
    private readonly contents: MailContentReader,
  ) {}

  /** The mails of these pages with their contents, in batches. Ending early stops the reading. */
  read(
    pages: AsyncIterable<readonly ExportedMail[]>,
    keys: ExportKeys,
  ): AsyncGenerator<MailContent[], void, undefined> {
    return mapInOrder(
      batchesOf(pages),
      (batch, signal) => this.readBatch(batch, keys, signal),
      BATCHES_AHEAD,
    );
  }

  private async readBatch(
    batch: readonly ExportedMail[],
    keys: ExportKeys,
    signal: AbortSignal,
  ): Promise<MailContent[]> {
    const open = (mail: ExportedMail) => (): Promise<Readable | Absence> =>
      this.readOrExplain(mail, keys, (found) => this.contents.open(mail, found, undefined, { signal }));
    if (batch.length === 1 && batch[0]!.sizeBytes > READ_WHOLE) {
      return batch.map((mail) => ({ mail, content: open(mail) }));
    }
    const store = await this.stores.find(batch[0]!.storage);
    const objects = batch.map((mail) => ({ key: mail.storageKey, size: fileBytes(mail) }));
    const files = await (store.readMany?.(objects) ?? readEach(store, objects, signal));
    const contents: MailContent[] = [];
    for (const [index, mail] of batch.entries()) {
      const file = files[index]!;
      contents.push({
        mail,
        content: file === 'larger' ? open(mail) : await this.readMessage(mail, file, keys, signal),
      });
    }
    return contents;
  }

  /** @param file null if it is missing */
  private async readMessage(
    mail: ExportedMail,
    file: Buffer | null,
    keys: ExportKeys,
    signal: AbortSignal,
  ): Promise<Buffer | Absence> {
    if (file && !mail.isEncrypted) return file;
    const message = file && (await decryptFile(file, mail, keys));
    return message ?? this.readOrExplain(mail, keys, (found) => this.contents.read(mail, found, { signal }));
  }

  private async readOrExplain<T>(
    mail: ExportedMail,
    keys: ExportKeys,
    work: (keys: MailKeys | null) => Promise<T>,
  ): Promise<T | Absence> {
    try {
      return await runWithKeys(mail, keys, work);
    } catch (error) {
      if (error instanceof ObjectMissing) {
        this.logger.error(`The file of archived mail ${mail.id} is missing`);
        return 'missing';
      }
      if (error instanceof MailUndecryptable) return 'altered';
      if (error instanceof MailsEncrypted) return 'encrypted';
      throw error;
    }
  }
}

/** Calls `work` with keys only if the mail is encrypted: until then the passphrase is not checked. */
async function runWithKeys<T>(
  { isEncrypted }: ExportedMail,
  keys: ExportKeys,
  work: (keys: MailKeys | null) => Promise<T>,
): Promise<T> {
  try {
    return await work(isEncrypted ? await keys.find() : null);
  } catch (error) {
    // The mail was encrypted meanwhile.
    const found = error instanceof MailsEncrypted && !isEncrypted ? await keys.find() : null;
    if (!found) throw error;
    return work(found);
  }
}

/** The message of an encrypted file; null without keys, or if the file is not the one its row names or does not decrypt. */
async function decryptFile(file: Buffer, { sha256 }: ExportedMail, keys: ExportKeys): Promise<Buffer | null> {
  const found = await keys.find();
  // The passphrase decrypts the file of any mail: the hash tells whether it is this one's.
  if (!found || createHash('sha256').update(file).digest('hex') !== sha256) return null;
  try {
    return decryptMail(file, await found.deriveKey(readHeader(file).salt));
  } catch (error) {
    if (error instanceof NotDecryptable) return null;
    throw error;
  }
}

const fileBytes = ({ sizeBytes, isEncrypted }: ExportedMail): number =>
  isEncrypted ? HEADER_BYTES + sizeBytes : sizeBytes;

/** Splits a page into batches of consecutive mails of one store; a large mail is alone in its batch. */
async function* batchesOf(
  pages: AsyncIterable<readonly ExportedMail[]>,
): AsyncGenerator<ExportedMail[], void, undefined> {
  let batch: ExportedMail[] = [];
  let bytes = 0;
  let most = BATCH.firstMails;
  for await (const page of pages) {
    for (const mail of page) {
      const isFull = batch.length >= most || bytes + mail.sizeBytes > BATCH.bytes;
      if (batch.length > 0 && (isFull || mail.sizeBytes > READ_WHOLE || mail.storage !== batch[0]!.storage)) {
        yield batch;
        batch = [];
        bytes = 0;
        most = Math.min(most * 2, BATCH.mails);
      }
      batch.push(mail);
      bytes += mail.sizeBytes;
      if (mail.sizeBytes > READ_WHOLE) {
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
  }
  if (batch.length > 0) yield batch;
}

/** @throws the signal's reason */
async function readEach(
  store: ArchiveStore,
  objects: readonly SmallObject[],
  signal: AbortSignal,
): Promise<ManyRead[]> {
  const contents: ManyRead[] = objects.map(() => null);
  await forEachConcurrently(objects.entries(), READS_AT_ONCE, async ([index, { key, size }]) => {
    signal.throwIfAborted();
    try {
      const content = await store.read(key, { signal, atMost: size + 1 });
      contents[index] = content.length > size ? 'larger' : content;
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
    }
  });
  return contents;
}
