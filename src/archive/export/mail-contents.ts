import { Injectable, Logger } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { ObjectMissing } from '../store/archive-store.errors';
import { ArchiveStore, ArchiveStores, ManyRead, SmallObject } from '../store/archive-store.port';
import type { ExportedMail, MailContent } from './exported-mail';
import { readAhead } from './read-ahead';

/** Mails up to this size are read whole and ahead; larger ones are streamed. */
const READ_WHOLE = 512 * 1024;
/** What is read in one go. The first batches are smaller, so that the first byte does not wait for a megabyte. */
const BATCH = { bytes: 1024 * 1024, mails: 64, firstMails: 2 };
/** With the batch that is being written, what an export holds: three megabytes. */
const BATCHES_AHEAD = 2;
/** Reads at once of a store that takes mails one by one: enough to hide the latency of an object store. */
const READS_AT_ONCE = 32;

/** Reads the files of mails in their order, ahead of who takes them, in constant memory. */
@Injectable()
export class MailContents {
  private readonly logger = new Logger(MailContents.name);

  constructor(private readonly stores: ArchiveStores) {}

  /** The mails of these pages with their contents, in batches. Ending early ends the reading. */
  read(pages: AsyncIterable<readonly ExportedMail[]>): AsyncGenerator<MailContent[], void, undefined> {
    return readAhead(batchesOf(pages), (batch, signal) => this.readBatch(batch, signal), BATCHES_AHEAD);
  }

  private async readBatch(batch: readonly ExportedMail[], signal: AbortSignal): Promise<MailContent[]> {
    const store = await this.stores.named(batch[0]!.storage);
    const open = (mail: ExportedMail) => (): Promise<Readable | null> =>
      this.orNull(mail, store.get(mail.storageKey));
    if (batch.length === 1 && batch[0]!.sizeBytes > READ_WHOLE) {
      return batch.map((mail) => ({ mail, content: open(mail) }));
    }
    const objects = batch.map(({ storageKey: key, sizeBytes: size }) => ({ key, size }));
    const contents = await (store.readMany?.(objects) ?? readEach(store, objects, signal));
    return batch.map((mail, index) => {
      const content = contents[index]!;
      if (content === null) this.reportMissing(mail);
      return { mail, content: content === 'larger' ? open(mail) : content };
    });
  }

  private async orNull<T>(mail: ExportedMail, work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
      this.reportMissing(mail);
      return null;
    }
  }

  private reportMissing(mail: ExportedMail): void {
    this.logger.error(`The file of archived mail ${mail.id} is missing`);
  }
}

/** Mails that follow each other and lie in one store; a large one is alone. */
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

/** @throws the signal's reason once it is aborted, without beginning another read */
async function readEach(
  store: ArchiveStore,
  objects: readonly SmallObject[],
  signal: AbortSignal,
): Promise<ManyRead[]> {
  const contents: ManyRead[] = objects.map(() => null);
  let next = 0;
  const reader = async (): Promise<void> => {
    while (next < objects.length) {
      signal.throwIfAborted();
      const index = next++;
      try {
        contents[index] = await store.read(objects[index]!.key);
      } catch (error) {
        if (!(error instanceof ObjectMissing)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(READS_AT_ONCE, objects.length) }, reader));
  return contents;
}
