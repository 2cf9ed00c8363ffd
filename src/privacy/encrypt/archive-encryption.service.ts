import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { ArchiveStore } from '../../archive/files/archive-store.port';
import { FileDeletions } from '../../archive/files/file-deletions';
import { FilesLost, type ReservedFiles } from '../../archive/files/reserved-files';
import { laterStorageKey, newFileTag } from '../../archive/files/storage-key';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { ArchiveBusy, MailboxAccountGone } from '../../archive/mails/archive.errors';
import { MailEncryptionRepository } from '../../archive/mails/mail-encryption.repository';
import { MailPosition, StoredMails } from '../../archive/mails/stored-mails';
import { ArchiveLock } from '../../archive/mails/writing/archive-lock';
import type { ArchiveOwner } from '../../archive/mails/writing/mail-to-archive';
import { forEachConcurrently } from '../../platform/concurrency/for-each-concurrently';
import { mapInOrder } from '../../platform/concurrency/map-in-order';
import { mapOneAhead } from '../../platform/concurrency/map-one-ahead';
import { Transactions } from '../../platform/database/transactions';
import { SALT_BYTES } from '../../archive/passphrases/encrypted-file';
import type { MailKeys } from '../../archive/passphrases/mail-keys';
import type { JobContext } from '../../platform/jobs/job-definition';
import { MessageIndexService } from '../../mailbox/index/message-index.service';
import { TrackingService } from '../tracking/tracking.service';
import { EncryptionCheckpoint, EncryptionResult, EncryptionRun } from './encryption-run';
import { LARGE_MAIL_BYTES, MailEncryptor } from './mail-encryptor';
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

/**
 * Encrypts the archive of an account on behalf of a job, batch after batch: files under new keys first, then all rows
 * of the batch in one transaction, which enqueues the plain files to be deleted. Whenever it is killed, every mail is
 * either plain or encrypted.
 */
@Injectable()
export class ArchiveEncryptionService {
  constructor(
    private readonly mails: StoredMails,
    private readonly totals: ArchiveTotals,
    private readonly repository: MailEncryptionRepository,
    private readonly encryptor: MailEncryptor,
    private readonly archiveLock: ArchiveLock,
    private readonly transactions: Transactions,
    private readonly fileDeletions: FileDeletions,
    private readonly index: MessageIndexService,
    private readonly tracking: TrackingService,
  ) {}

  /**
   * Encrypts every plain mail, also those archived meanwhile. Continues from the job's checkpoint.
   * @param unlock called once, with the salt of the job
   * @throws MailboxAccountGone, ArchiveStoreFull, or the error of a store that stays away
   */
  async encrypt(
    owner: ArchiveOwner,
    unlock: (salt: Buffer) => Promise<MailKeys>,
    job: JobContext,
  ): Promise<EncryptionResult> {
    // Each write under way adds a listener.
    setMaxListeners(0, job.signal);
    const run = new EncryptionRun(
      job.savedCheckpoint<EncryptionCheckpoint>() ?? (await this.begin(owner)),
      job,
    );
    const { salt } = run;
    const cipher = { salt, key: await (await unlock(salt)).deriveKey(salt) };
    await this.countBatch(owner, run);
    // Mail archived behind a walk is covered by the next one, until a walk finds none.
    while ((await this.walk(owner, cipher, run)) || run.since === null) await run.beginAgain();
    const waiting = await this.fileDeletions.drain(owner.accountId, { signal: job.signal });
    if (waiting > 0) job.logger.warn(`${waiting} files wait until their store can be reached`);
    run.expect(run.result.failed);
    return run.result;
  }

  private async begin(owner: ArchiveOwner): Promise<EncryptionCheckpoint> {
    return {
      salt: randomBytes(SALT_BYTES).toString('base64'),
      recentSince: await this.repository.readClockMinutesAgo(RECENT_MINUTES),
      repeated: false,
      after: null,
      batch: null,
      leftAlone: [],
      encrypted: 0,
      bytes: 0,
      skipped: (await this.totals.findTotals(owner.accountId))?.encrypted ?? 0,
      failed: 0,
    };
  }

  /** Counts a batch that an earlier attempt committed without counting it. */
  private async countBatch(owner: ArchiveOwner, run: EncryptionRun): Promise<void> {
    if (run.batch === null) return;
    const { mails, bytes } = await this.repository.countEncryptedAs(run.batch, owner, run.after);
    run.count(mails, bytes);
    await run.recordCountedBatch();
  }

  /** Walks once over the plain mails. @returns whether there were any */
  private async walk(owner: ArchiveOwner, cipher: MailCipher, run: EncryptionRun): Promise<boolean> {
    const totals = await this.totals.findTotals(owner.accountId);
    run.expect(totals ? totals.mails - totals.encrypted : 0);
    const prepare = async ({ mails, end }: Batch, stopped: AbortSignal): Promise<PreparedBatch> => {
      const signal = AbortSignal.any([run.job.signal, stopped]);
      return { end, ...(await this.encryptor.prepare(owner.userId, mails, cipher, signal)) };
    };
    const uncommitted = new Set<ReservedFiles>();
    const write = async (batch: PreparedBatch, stopped: AbortSignal): Promise<WrittenBatch> => {
      if (batch.ready.length === 0) return { batch, written: null };
      const signal = AbortSignal.any([run.job.signal, stopped]);
      return { batch, written: await this.write(owner, batch.ready, uncommitted, signal) };
    };
    let found = false;
    const prepared = mapInOrder(this.readBatches(owner, run), prepare, BATCHES_PREPARED);
    try {
      for await (const batch of mapOneAhead(prepared, write)) {
        found = true;
        run.job.throwIfCancelled();
        await this.finish(owner, batch, run, uncommitted);
      }
    } finally {
      await Promise.all([...uncommitted].map((files) => files.release()));
    }
    await run.save();
    return found;
  }

  private async *readBatches(
    owner: ArchiveOwner,
    run: EncryptionRun,
  ): AsyncGenerator<Batch, void, undefined> {
    let { after } = run;
    for (;;) {
      const range = { after, limit: PAGE, archivedSince: run.since, isPlain: true };
      const page = await this.mails.findNext(owner.accountId, range);
      const recentSince = new Date(run.recentSince);
      const plain = page.map((mail) => ({ ...mail, isRecent: mail.archivedAt >= recentSince }));
      for (const mails of splitIntoBatches(plain.filter((mail) => !run.isLeftAlone(mail)))) {
        yield { mails, end: mails[mails.length - 1]!.position };
      }
      after = page.at(-1)?.position ?? null;
      if (page.length < PAGE) return;
    }
  }

  private async finish(
    owner: ArchiveOwner,
    { batch, written }: WrittenBatch,
    run: EncryptionRun,
    uncommitted: Set<ReservedFiles>,
  ): Promise<void> {
    const damaged = [...batch.damaged];
    for (let next = written, attempt = 1; next; attempt += 1) {
      const isCommitted = await this.commitOnce(owner, next, run, uncommitted);
      if (isCommitted) {
        damaged.push(...next.damaged);
        break;
      }
      if (attempt === MAX_ATTEMPTS) throw new ArchiveBusy();
      next = await this.write(owner, batch.ready, uncommitted, run.job.signal);
    }
    await this.leaveAlone(owner, damaged, run);
    run.recordPosition(batch.end);
  }

  /** Commits a batch. @returns false when its files were deleted before, because they had been reserved for too long */
  private async commitOnce(
    owner: ArchiveOwner,
    { tag, files, mails }: WrittenMails,
    run: EncryptionRun,
    uncommitted: Set<ReservedFiles>,
  ): Promise<boolean> {
    let isLost = false;
    try {
      await run.beginBatch(tag);
      const ids = await this.commit(owner, mails, files);
      const encrypted = mails.filter(({ plain }) => ids.has(plain.id));
      run.count(
        encrypted.length,
        encrypted.reduce((sum, { plain }) => sum + plain.sizeBytes, 0),
      );
    } catch (error) {
      isLost = error instanceof FilesLost;
      if (!isLost) throw error;
    } finally {
      uncommitted.delete(files);
      await files.release({ isLost });
    }
    return !isLost;
  }

  /** @param uncommitted the files are added to it before the first is written */
  private async write(
    owner: ArchiveOwner,
    ready: readonly ReadyMail[],
    uncommitted: Set<ReservedFiles>,
    signal: AbortSignal,
  ): Promise<WrittenMails> {
    const tag = newFileTag();
    const keyOf = ({ plain }: ReadyMail): string => laterStorageKey(plain.storageKey, plain.id, tag);
    const files = await this.fileDeletions.reserve(
      ready.map((mail) => ({ ...owner, storage: mail.plain.storage, storageKey: keyOf(mail) })),
    );
    uncommitted.add(files);
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
  private commit(
    owner: ArchiveOwner,
    mails: readonly EncryptedMail[],
    files: ReservedFiles,
  ): Promise<ReadonlySet<string>> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.archiveLock.acquire(owner, transaction))) throw new MailboxAccountGone();
      const names = mails.map(({ plain }) => plain.messageId);
      const messageIds = await this.index.withholdSnippets(owner.accountId, names, transaction);
      const ids = await this.repository.markEncrypted(owner, mails, transaction);
      await this.tracking.withholdAddresses(owner.accountId, messageIds, transaction);
      const encrypted = mails.filter(({ plain }) => ids.has(plain.id));
      const keys = encrypted.map(({ storageKey }) => storageKey);
      await files.keep(keys, transaction);
      const replaced = encrypted.map(({ plain: { storage, storageKey } }) => ({
        ...owner,
        storage,
        storageKey,
      }));
      await this.fileDeletions.enqueue(replaced, transaction);
      return ids;
    });
  }

  /** Counts damaged mails as failed, except those that were deleted or encrypted elsewhere since their rows were read. */
  private async leaveAlone(
    owner: ArchiveOwner,
    damaged: readonly DamagedMail[],
    run: EncryptionRun,
  ): Promise<void> {
    if (damaged.length === 0) return;
    const unchanged = await this.repository.findUnchanged(
      owner,
      damaged.map(({ plain }) => plain),
    );
    for (const mail of damaged) if (unchanged.has(mail.plain.id)) run.leaveAlone(mail);
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
