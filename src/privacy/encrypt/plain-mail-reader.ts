import { isDamage, ObjectMissing } from '../../archive/files/archive-store.errors';
import type { ArchiveStore } from '../../archive/files/archive-store.port';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { DamagedMail, FileProblem, PlainMail } from './mail-to-encrypt';

/** Mails read from an object store at a time. */
const CONCURRENT_READS = 16;

/** The mails that could be read, in order, with their bytes, and the others. */
export interface PlainMailsRead {
  readonly read: readonly { readonly plain: PlainMail; readonly bytes: Buffer }[];
  readonly damaged: readonly DamagedMail[];
}

/**
 * Reads small mails of one store into memory, never more than the sizes in their rows.
 * @throws the error of a store that remains unavailable
 */
export async function readPlainMails(
  store: ArchiveStore,
  mails: readonly PlainMail[],
  signal: AbortSignal,
): Promise<PlainMailsRead> {
  const found = new Map<PlainMail, Buffer | FileProblem>();
  for (const { plain, content } of await readEach(store, mails, signal)) found.set(plain, content);
  const read: { plain: PlainMail; bytes: Buffer }[] = [];
  const damaged: DamagedMail[] = [];
  for (const plain of mails) {
    const content = found.get(plain);
    if (typeof content === 'object') read.push({ plain, bytes: content });
    else damaged.push({ plain, problem: content ?? 'archived-file-missing' });
  }
  return { read, damaged };
}

interface Content {
  readonly plain: PlainMail;
  readonly content: Buffer | FileProblem;
}

async function readEach(
  store: ArchiveStore,
  mails: readonly PlainMail[],
  signal: AbortSignal,
): Promise<Content[]> {
  const together = await readTogether(store, mails);
  if (together) return together;
  const contents: Content[] = [];
  await forEachConcurrently(mails, CONCURRENT_READS, async (plain) =>
    contents.push(await readOne(store, plain, signal)),
  );
  return contents;
}

/** @returns null when the mails have to be read one by one, also to find a damaged one among them */
async function readTogether(store: ArchiveStore, mails: readonly PlainMail[]): Promise<Content[] | null> {
  if (!store.readMany) return null;
  try {
    const contents = await store.readMany(
      mails.map(({ storageKey: key, sizeBytes: size }) => ({ key, size })),
    );
    return contents.map((content, position) => ({
      plain: mails[position] as PlainMail,
      content:
        content === null ? 'archived-file-missing' : content === 'larger' ? 'archived-file-altered' : content,
    }));
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

async function readOne(store: ArchiveStore, plain: PlainMail, signal: AbortSignal): Promise<Content> {
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of await store.get(plain.storageKey, undefined, { retryOutages: true, signal })) {
      length += (chunk as Buffer).length;
      if (length > plain.sizeBytes) return { plain, content: 'archived-file-altered' };
      chunks.push(chunk as Buffer);
    }
    return { plain, content: Buffer.concat(chunks, length) };
  } catch (error) {
    if (error instanceof ObjectMissing) return { plain, content: 'archived-file-missing' };
    if (isDamage(error)) return { plain, content: 'archived-file-altered' };
    throw error;
  }
}
