import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ArchiveStores } from '../archive-storage/archive-store.port';
import { FileDeletions, StoredFile } from '../archive-storage/file-deletions';
import { encryptedStorageKey } from '../archive-storage/storage-key';
import type { ArchiveOwner } from '../archive/writing/mail-to-archive';
import { mapConcurrently } from '../common/concurrency/map-concurrently';
import { mapInOrder } from '../common/concurrency/map-in-order';
import { SALT_BYTES } from '../encryption/encrypted-file';
import type { MailKeys } from '../encryption/mail-keys';
import type { JobContext } from '../jobs/job-definition';
import { BackgroundFileDeletions, CommittedMails, EncryptedMailCommits } from './encrypted-mail-commits';
import { EncryptionCheckpoint, EncryptionResult, EncryptionRun } from './encryption-run';
import { LARGE_MAIL_BYTES, MailEncryptor } from './mail-encryptor';
import type {
  DamagedMail,
  EncryptedMail,
  MailCipher,
  PlainMail,
  PreparedMails,
  ReadyMail,
} from './mail-to-encrypt';
import { MailsToEncryptRepository, Position } from './mails-to-encrypt.repository';

/** A batch ends at the first of these: so much is done again after a crash. */
const BATCH_MAILS = 200;
const BATCH_BYTES = 12 * 1024 * 1024;
const PAGE = 1_000;
/** One batch is read and encrypted while the one before it is written. */
const BATCHES_AHEAD = 2;
/** Enough to share the disk's syncs between files; more only opens more files. */
const CONCURRENT_WRITES = 48;
/** No transaction that archives mail is open for longer than this. */
const RECENT_MINUTES = 10;
const RUN_BYTES = 8;

interface Batch {
  readonly mails: readonly PlainMail[];
  readonly end: Position;
}

interface PreparedBatch extends PreparedMails {
  readonly end: Position;
}

/**
 * Encrypts the archive of an account on behalf of a job, batch after batch: files under new keys first, then all rows
 * of the batch in one transaction with the registered removal of the plain files. Whenever it is killed, every mail is
 * either plain or encrypted, and the next attempt knows from the checkpoint which files may lie there without a row.
 */
@Injectable()
export class ArchiveEncryptionService {
  constructor(
    private readonly repository: MailsToEncryptRepository,
    private readonly encryptor: MailEncryptor,
    private readonly commits: EncryptedMailCommits,
    private readonly removals: FileDeletions,
    private readonly stores: ArchiveStores,
  ) {}

  /**
   * Encrypts every mail that is not, also those archived meanwhile. Goes on from the job's checkpoint.
   * @param unlock called once, with the salt of the job
   * @throws MailboxAccountGone, ArchiveStoreFull, and whatever a store that is away throws in the end
   */
  async encrypt(
    owner: ArchiveOwner,
    unlock: (salt: Buffer) => Promise<MailKeys>,
    job: JobContext,
  ): Promise<EncryptionResult> {
    // Each write under way listens to it.
    setMaxListeners(0, job.signal);
    const run = new EncryptionRun(
      job.savedCheckpoint<EncryptionCheckpoint>() ?? (await this.begin(owner)),
      job,
    );
    const { salt } = run;
    const cipher = { salt, key: await (await unlock(salt)).keyFor(salt) };
    await this.settle(owner, run);
    const removing = new BackgroundFileDeletions(this.removals);
    try {
      // What is archived behind the walk is met by the next one, until there is nothing any more.
      while ((await this.walk(owner, cipher, run, removing)) || run.since === null) await run.beginAgain();
    } finally {
      await removing.end();
    }
    const waiting = await this.removals.carryOutFor(owner.accountId, job.signal);
    if (waiting > 0) job.logger.warn(`${waiting} files wait until their store can be reached`);
    run.expect(run.result.failed);
    return run.result;
  }

  private async begin(owner: ArchiveOwner): Promise<EncryptionCheckpoint> {
    return {
      salt: randomBytes(SALT_BYTES).toString('base64'),
      recentSince: await this.repository.recently(RECENT_MINUTES),
      repeated: false,
      after: null,
      writing: [],
      leftAlone: [],
      encrypted: 0,
      bytes: 0,
      skipped: (await this.repository.counts(owner)).encrypted,
      failed: 0,
    };
  }

  /** Counts what an earlier attempt committed without saying so, and removes the files it did not. */
  private async settle(owner: ArchiveOwner, run: EncryptionRun): Promise<void> {
    const committed = await this.commits.discard(owner, run.writing);
    run.count(committed.mails, committed.bytes);
    const [only] = run.writing;
    if (only && run.writing.length === 1) {
      // Of a large mail, which is alone in its batch, parts of an upload may be left.
      const store = await this.stores.named(only.storage, owner.userId);
      await store.removeUnfinished(only.storageKey);
    }
    await run.settled();
  }

  /** Goes once over the mails that are not encrypted. @returns whether there were any to deal with */
  private async walk(
    owner: ArchiveOwner,
    cipher: MailCipher,
    run: EncryptionRun,
    removing: BackgroundFileDeletions,
  ): Promise<boolean> {
    run.expect((await this.repository.counts(owner)).plain);
    const folder = randomBytes(RUN_BYTES).toString('hex');
    const prepare = async ({ mails, end }: Batch, stopped: AbortSignal): Promise<PreparedBatch> => {
      const signal = AbortSignal.any([run.job.signal, stopped]);
      return { end, ...(await this.encryptor.prepare(owner.userId, mails, cipher, signal)) };
    };
    let met = false;
    for await (const batch of mapInOrder(this.batches(owner, run), prepare, BATCHES_AHEAD)) {
      met = true;
      run.job.throwIfCancelled();
      await this.finish(owner, batch, folder, run, removing);
    }
    await run.save();
    return met;
  }

  private async *batches(owner: ArchiveOwner, run: EncryptionRun): AsyncGenerator<Batch, void, undefined> {
    let { after } = run;
    for (;;) {
      const { since, recentSince } = run;
      const page = await this.repository.next(owner, { after, since, recentSince, limit: PAGE });
      for (const mails of inBatches(page.filter((mail) => !run.isLeftAlone(mail)))) {
        const { date, id } = mails[mails.length - 1]!;
        yield { mails, end: { date, id } };
      }
      after = page.at(-1) ?? null;
      if (page.length < PAGE) return;
    }
  }

  private async finish(
    owner: ArchiveOwner,
    batch: PreparedBatch,
    folder: string,
    run: EncryptionRun,
    removing: BackgroundFileDeletions,
  ): Promise<void> {
    const keyOf = ({ plain }: ReadyMail): string => encryptedStorageKey(plain.storageKey, folder);
    const files = batch.ready.map((mail) => ({ storage: mail.plain.storage, storageKey: keyOf(mail) }));
    const damaged = [...batch.damaged];
    if (files.length > 0) {
      await run.willWrite(files);
      let committed: CommittedMails;
      try {
        const written = await this.write(batch.ready, keyOf, run.job.signal);
        damaged.push(...written.damaged);
        committed = await this.commits.commit(owner, written.mails);
      } catch (error) {
        await this.discard(owner, files, run);
        throw error;
      }
      const encrypted = batch.ready.filter(({ plain }) => committed.encrypted.has(plain.id));
      run.count(
        encrypted.length,
        encrypted.reduce((sum, { plain }) => sum + plain.sizeBytes, 0),
      );
      await removing.carryOut(committed.removals);
    }
    await this.leaveAlone(owner, damaged, run);
    run.passed(batch.end);
  }

  private async write(
    mails: readonly ReadyMail[],
    keyOf: (mail: ReadyMail) => string,
    signal: AbortSignal,
  ): Promise<{ mails: EncryptedMail[]; damaged: DamagedMail[] }> {
    const written: EncryptedMail[] = [];
    const damaged: DamagedMail[] = [];
    const write = async (mail: ReadyMail): Promise<void> => {
      const storageKey = keyOf(mail);
      const outcome = await mail.write(storageKey, signal);
      if (typeof outcome === 'string') written.push({ plain: mail.plain, storageKey, sha256: outcome });
      else damaged.push({ plain: mail.plain, ...outcome });
    };
    const writes = mapConcurrently(mails, write, {
      concurrency: CONCURRENT_WRITES,
      maxWaiting: mails.length,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    for await (const _done of writes);
    return { mails: written, damaged };
  }

  /** A mail that was removed or encrypted elsewhere since its row was read has not failed. */
  private async leaveAlone(
    owner: ArchiveOwner,
    damaged: readonly DamagedMail[],
    run: EncryptionRun,
  ): Promise<void> {
    if (damaged.length === 0) return;
    const unchanged = await this.repository.unchanged(
      owner,
      damaged.map(({ plain }) => plain),
    );
    for (const mail of damaged) if (unchanged.has(mail.plain.id)) run.leaveAlone(mail);
  }

  private async discard(
    owner: ArchiveOwner,
    files: readonly StoredFile[],
    run: EncryptionRun,
  ): Promise<void> {
    try {
      // Of a commit whose answer was lost nobody knew that it was one.
      const committed = await this.commits.discard(owner, files);
      run.count(committed.mails, committed.bytes);
    } catch (error) {
      // What went wrong before is what to report; another attempt, or the nightly sweep, removes the files.
      run.job.logger.warn(`Files of an unfinished batch may remain: ${String(error)}`);
    }
  }
}

/** Batches bounded by count and bytes; a large mail is one of its own. */
function* inBatches(mails: readonly PlainMail[]): Generator<PlainMail[], void, undefined> {
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
