import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ArchiveStore } from '../../archive/files/archive-store.port';
import type { FileDeletions } from '../../archive/files/file-deletions';
import { FilesLost, type ReservedFiles } from '../../archive/files/reserved-files';
import { laterStorageKey, newFileTag } from '../../archive/files/storage-key';
import type { ArchiveTotals } from '../../archive/mails/archive-totals';
import { ArchiveBusy, MailboxAccountGone } from '../../archive/mails/archive.errors';
import type { EncryptedMailsService } from '../../archive/mails/encrypted-mails.service';
import type { MailPosition, StoredMails } from '../../archive/mails/stored-mails';
import type { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import type { ArchiveOwner } from '../../archive/mails/writing/mail-to-archive';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { mapInOrder } from '../../platform/concurrency/map-in-order';
import { mapOneAhead } from '../../platform/concurrency/map-one-ahead';
import type { Transactions } from '../../platform/database/transactions';
import { SALT_BYTES } from '../../archive/passphrases/encrypted-file';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { MessageIndexService } from '../../mailbox/index/message-index.service';
import type { TrackingService } from '../tracking/tracking.service';
import { type EncryptionCheckpoint, EncryptionProgress, type EncryptionResult } from './encryption-progress';
import { LARGE_MAIL_BYTES, type MailEncryptor } from './mail-encryptor';
import type {
  DamagedMail,
  EncryptedInMemory,
  EncryptedMail,
  MailCipher,
  PlainMail,
  PreparedMails,
  ReadyMail,
} from './mail-to-encrypt';

/** Limits of a batch, which ends at the first of them: after a crash one batch is repeated. */
const BATCH_MAILS = 200;
const BATCH_BYTES = 8 * 1024 * 1024;
const PAGE = 1_000;
/** Batches prepared ahead: while one is committed, the next one is written and later ones are read and encrypted. */
const BATCHES_PREPARED = 2;
/** Files written at a time: enough to share the disk's syncs between them; more would only open more files. */
const CONCURRENT_WRITES = 48;
/** Time in minutes for which a transaction that archives mail can be open at most. */
const RECENT_MINUTES = 10;
/** Most attempts at a batch that takes so long that its files are deleted before they are committed. */
const MAX_ATTEMPTS = 3;

interface Batch {
  readonly mails: readonly PlainMail[];
  readonly end: MailPosition;
}

interface PreparedBatch extends PreparedMails {
  readonly end: MailPosition;
}

/** Mails whose encrypted files are in their stores, but not yet named by their rows. */
interface WrittenMails {
  /** Tag in the keys of the encrypted files. */
  readonly tag: string;
  readonly files: ReservedFiles;
  readonly mails: readonly EncryptedMail[];
  /** Mails that turned out to be damaged while they were written. */
  readonly damaged: readonly DamagedMail[];
}

interface WrittenBatch {
  readonly batch: PreparedBatch;
  /** The mails that have been written; null: none of the batch could be read. */
  readonly written: WrittenMails | null;
}

export interface EncryptArchivesServices {
  readonly mails: StoredMails;
  readonly totals: ArchiveTotals;
  readonly encrypted: EncryptedMailsService;
  readonly encryptor: MailEncryptor;
  readonly archiveLock: ArchiveLock;
  readonly transactions: Transactions;
  readonly fileDeletions: FileDeletions;
  readonly index: MessageIndexService;
  readonly tracking: TrackingService;
}

/**
 * Encrypts the archive of an account, batch after batch: files under new keys first, then all rows of the batch in one
 * transaction, which enqueues the plain files to be deleted. Whenever it is killed, every mail is either plain or encrypted.
 */
export class EncryptArchivesRun {
  private progress: EncryptionProgress;
  private cipher: MailCipher;
  /** Files that are written, or about to be, and whose rows are not committed. */
  private readonly uncommitted = new Set<ReservedFiles>();

  /** @param unlock called once, with the salt of the job */
  constructor(
    private readonly owner: ArchiveOwner,
    private readonly unlock: (salt: Buffer) => Promise<MailKeys>,
    private readonly job: JobContext,
    private readonly services: EncryptArchivesServices,
  ) {}

  /**
   * Encrypts every plain mail, also those archived meanwhile. Continues from the job's checkpoint.
   * @throws MailboxAccountGone, ArchiveStoreFull, or the error of a store that stays away
   */
  async run(): Promise<EncryptionResult> {
    const { owner, job } = this;
    // Each write under way adds a listener.
    setMaxListeners(0, job.signal);
    const saved = job.savedCheckpoint<EncryptionCheckpoint>() ?? (await this.begin());
    this.progress = new EncryptionProgress(saved, job);
    const { salt } = this.progress;
    this.cipher = { salt, key: await (await this.unlock(salt)).deriveKey(salt) };
    await this.countBatch();
    // Mail archived behind a walk is covered by the next one, until a walk finds none.
    while ((await this.walk()) || this.progress.since === null) await this.progress.beginAgain();
    const waiting = await this.services.fileDeletions.drain(owner.accountId, { signal: job.signal });
    if (waiting > 0) job.logger.warn(`${waiting} files wait until their store is reachable`);
    this.progress.expect(this.progress.result.failed);
    return this.progress.result;
  }

  private async begin(): Promise<EncryptionCheckpoint> {
    return {
      salt: randomBytes(SALT_BYTES).toString('base64'),
      recentSince: await this.services.encrypted.readClockMinutesAgo(RECENT_MINUTES),
      repeated: false,
      after: null,
      batch: null,
      leftAlone: [],
      encrypted: 0,
      bytes: 0,
      skipped: (await this.services.totals.findTotals(this.owner.accountId))?.encrypted ?? 0,
      failed: 0,
    };
  }

  /** Counts a batch that an earlier attempt committed without counting it. */
  private async countBatch(): Promise<void> {
    const { progress, services, owner } = this;
    if (progress.batch === null) return;
    const { mails, bytes } = await services.encrypted.countEncryptedAs(progress.batch, owner, progress.after);
    progress.count(mails, bytes);
    await progress.recordCountedBatch();
  }

  /** Walks once over the plain mails. @returns whether there were any */
  private async walk(): Promise<boolean> {
    const { owner, job, progress, cipher } = this;
    const { totals, encryptor } = this.services;
    const counts = await totals.findTotals(owner.accountId);
    progress.expect(counts ? counts.mails - counts.encrypted : 0);
    const prepare = async ({ mails, end }: Batch, stopped: AbortSignal): Promise<PreparedBatch> => {
      const signal = AbortSignal.any([job.signal, stopped]);
      return { end, ...(await encryptor.prepare(owner.userId, mails, cipher, signal)) };
    };
    const write = async (batch: PreparedBatch, stopped: AbortSignal): Promise<WrittenBatch> => {
      if (batch.ready.length === 0) return { batch, written: null };
      const signal = AbortSignal.any([job.signal, stopped]);
      return { batch, written: await this.write(batch.ready, signal) };
    };
    let found = false;
    const prepared = mapInOrder(this.readBatches(), prepare, BATCHES_PREPARED);
    try {
      for await (const batch of mapOneAhead(prepared, write)) {
        found = true;
        job.throwIfCancelled();
        await this.finish(batch);
      }
    } finally {
      await Promise.all([...this.uncommitted].map((files) => files.release()));
      this.uncommitted.clear();
    }
    await progress.save();
    return found;
  }

  private async *readBatches(): AsyncGenerator<Batch, void, undefined> {
    const { owner, progress, services } = this;
    let { after } = progress;
    for (;;) {
      const range = { after, limit: PAGE, archivedSince: progress.since, isPlain: true };
      const page = await services.mails.findNext(owner.accountId, range);
      const recentSince = new Date(progress.recentSince);
      const plain = page.map((mail) => ({ ...mail, isRecent: mail.archivedAt >= recentSince }));
      for (const mails of splitIntoBatches(plain.filter((mail) => !progress.isLeftAlone(mail)))) {
        yield { mails, end: mails[mails.length - 1]!.position };
      }
      after = page.at(-1)?.position ?? null;
      if (page.length < PAGE) return;
    }
  }

  private async finish({ batch, written }: WrittenBatch): Promise<void> {
    const damaged = [...batch.damaged];
    for (let next = written, attempt = 1; next; attempt += 1) {
      const isCommitted = await this.commitOnce(next);
      if (isCommitted) {
        damaged.push(...next.damaged);
        break;
      }
      if (attempt === MAX_ATTEMPTS) throw new ArchiveBusy();
      next = await this.write(batch.ready, this.job.signal);
    }
    await this.leaveAlone(damaged);
    this.progress.recordPosition(batch.end);
  }

  /** Commits a batch. @returns false when its files were deleted before, because they had been reserved for too long */
  private async commitOnce({ tag, files, mails }: WrittenMails): Promise<boolean> {
    let isLost = false;
    try {
      await this.progress.beginBatch(tag);
      const ids = await this.commit(mails, files);
      const encrypted = mails.filter(({ plain }) => ids.has(plain.id));
      this.progress.count(
        encrypted.length,
        encrypted.reduce((sum, { plain }) => sum + plain.sizeBytes, 0),
      );
    } catch (error) {
      isLost = error instanceof FilesLost;
      if (!isLost) throw error;
    } finally {
      this.uncommitted.delete(files);
      await files.release({ isLost });
    }
    return !isLost;
  }

  private async write(ready: readonly ReadyMail[], signal: AbortSignal): Promise<WrittenMails> {
    const { owner } = this;
    const tag = newFileTag();
    const keyOf = ({ plain }: ReadyMail): string => laterStorageKey(plain.storageKey, plain.id, tag);
    const files = await this.services.fileDeletions.reserve(
      ready.map((mail) => ({ ...owner, storage: mail.plain.storage, storageKey: keyOf(mail) })),
    );
    this.uncommitted.add(files);
    const mails: EncryptedMail[] = [];
    const damaged: DamagedMail[] = [];
    for (const store of new Set(ready.map((mail) => mail.store))) {
      const small = ready.filter((mail) => mail.store === store && 'file' in mail) as EncryptedInMemory[];
      await putAll(store, small, keyOf, signal);
      for (const mail of small) {
        mails.push({ plain: mail.plain, storageKey: keyOf(mail), sha256: mail.sha256 });
      }
    }
    for (const mail of ready) {
      if ('file' in mail) continue;
      const storageKey = keyOf(mail);
      const outcome = await mail.write(storageKey, signal);
      if (typeof outcome === 'string') mails.push({ plain: mail.plain, storageKey, sha256: outcome });
      else damaged.push({ plain: mail.plain, ...outcome });
    }
    return { tag, files, mails, damaged };
  }

  /**
   * Makes the rows of a batch name its encrypted files, deletes the stored text and findings of their bodies, and enqueues
   * the plain files to be deleted, in one transaction. Encrypted files of mails that were deleted or encrypted elsewhere
   * meanwhile stay reserved.
   * @returns ids of the mails that are encrypted now
   * @throws MailboxAccountGone; FilesLost when the files were reserved for too long
   */
  private commit(mails: readonly EncryptedMail[], files: ReservedFiles): Promise<ReadonlySet<string>> {
    const { owner } = this;
    const { archiveLock, encrypted, index, tracking, transactions } = this.services;
    return transactions.run(async (transaction) => {
      if (!(await archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      const names = mails.map(({ plain }) => plain.messageId);
      const messageIds = await index.withholdSnippets(owner.accountId, names, transaction);
      const ids = await encrypted.replaceFiles(owner, mails, files, transaction);
      await tracking.withholdAddresses(owner.accountId, messageIds, transaction);
      return ids;
    });
  }

  /** Counts damaged mails as failed, except those that were deleted or encrypted elsewhere since their rows were read. */
  private async leaveAlone(damaged: readonly DamagedMail[]): Promise<void> {
    if (damaged.length === 0) return;
    const unchanged = await this.services.encrypted.findUnchanged(
      this.owner,
      damaged.map(({ plain }) => plain),
    );
    for (const mail of damaged) if (unchanged.has(mail.plain.id)) this.progress.leaveAlone(mail);
  }
}

async function putAll(
  store: ArchiveStore,
  mails: readonly EncryptedInMemory[],
  keyOf: (mail: ReadyMail) => string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const objects = mails.map((mail) => ({ key: keyOf(mail), bytes: mail.file }));
  if (store.putMany) return store.putMany(objects);
  await forEachConcurrently(objects, CONCURRENT_WRITES, ({ key, bytes }) =>
    store.put(key, bytes, { signal }),
  );
}

/** Splits mails into batches bounded by count and bytes; a large mail is alone in its batch. */
function* splitIntoBatches(mails: readonly PlainMail[]): Generator<PlainMail[], void, undefined> {
  let batch: PlainMail[] = [];
  let bytes = 0;
  for (const mail of mails) {
    const isLarge = mail.sizeBytes >= LARGE_MAIL_BYTES;
    const isFull = batch.length === BATCH_MAILS || bytes + mail.sizeBytes > BATCH_BYTES;
    if (batch.length > 0 && (isLarge || isFull)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(mail);
    bytes += mail.sizeBytes;
    if (!isLarge) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
