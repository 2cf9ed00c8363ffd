import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions';
import { MailboxAccountGone } from '../archive.errors';
import { boundedMap } from './bounded-map';
import type { ArchiveStore } from '../store/archive-store.port';
import { ArchiveStores } from '../store/archive-store.port';
import { deterministicId, storageKey } from '../store/storage-key';
import { countArchived } from './archive-metrics';
import { ArchiveWritesRepository } from './archive-writes.repository';
import { ArchiveOwner, ExistingMail, MailToArchive, NewArchivedMail, storableDate } from './mail-to-archive';

/** Enough to share the disk's syncs between files; more only opens more files. */
const CONCURRENT_WRITES = 48;

export interface WriteOptions {
  /**
   * What is archived already is replaced if it differs or its file is damaged, else refreshed; without it, it is kept.
   * Encrypted mails are always kept.
   */
  readonly replace: boolean;
  /** For imports: a mail with the same Message-ID, or without one with the same bytes, is not archived again. */
  readonly skipDuplicates?: boolean;
  /** Ends the waiting for a store that cannot be reached. */
  readonly signal?: AbortSignal;
}

export interface WrittenBatch {
  /** Message ids that are in the archive now because of this call. */
  readonly archived: readonly string[];
  readonly bytes: number;
  /** Message ids left as they were: somebody else archived them first, or they are encrypted. */
  readonly kept: readonly string[];
  /** Message ids not archived because the account has the mail under another id; only with `skipDuplicates`. */
  readonly duplicates: readonly string[];
  /**
   * Message ids the storage quota has no room for. Those before them are archived; the caller accounts for these and
   * then ends with `StorageQuotaExceeded`.
   */
  readonly refused: readonly string[];
}

interface Committed {
  readonly inserted: Set<string>;
  readonly removed: Set<string>;
}

interface BatchPlan {
  readonly added: NewArchivedMail[];
  /** Rows and files to remove for some of `added`. */
  readonly replaced: ExistingMail[];
  readonly refreshed: NewArchivedMail[];
}

/**
 * Writes mails into the archive: files first, then all rows in one transaction, so that no row is ever without its
 * file. Ids follow from account, message and content: doing it again after a crash writes the same files again.
 */
@Injectable()
export class ArchiveWriter {
  private readonly logger = new Logger(ArchiveWriter.name);

  constructor(
    private readonly repository: ArchiveWritesRepository,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Archives a batch of messages, each message id at most once in it.
   * @throws MailboxAccountGone; nothing of the batch is left then, neither rows nor files
   */
  async write(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    options: WriteOptions,
  ): Promise<WrittenBatch> {
    const { storage, store } = await this.stores.forWriting(owner.userId);
    const plan = await this.plan(owner, mails, storage, options.replace);
    let committed: Committed;
    try {
      await this.putAll(store, plan.added);
      committed = await this.commitWhatFits(owner, plan);
    } catch (error) {
      await this.discardAfterFailure(store, plan.added);
      throw error;
    }
    await this.removeReplacedFiles(plan.replaced, committed.removed);
    await this.discardUnnamed(
      store,
      plan.added.filter(({ id }) => !committed.inserted.has(id)),
    );
    const written = [...plan.added.filter(({ id }) => committed.inserted.has(id)), ...plan.refreshed];
    const archived = written.map(({ mail }) => mail.messageId);
    const bytes = written.reduce((sum, { mail }) => sum + mail.raw.length, 0);
    countArchived(archived.length, bytes);
    const done = new Set(archived);
    return {
      archived,
      bytes,
      kept: mails.map(({ messageId }) => messageId).filter((id) => !done.has(id)),
      duplicates: [],
      refused: [],
    };
  }

  private async plan(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    storage: string,
    replace: boolean,
  ): Promise<BatchPlan> {
    const plan: BatchPlan = { added: [], replaced: [], refreshed: [] };
    const found = await this.repository.findByMessageIds(
      owner.accountId,
      mails.map(({ messageId }) => messageId),
    );
    const existing = new Map(found.map((mail) => [mail.messageId, mail]));
    for (const given of mails) {
      const mail = { ...given, date: storableDate(given.date, new Date()) };
      const earlier = existing.get(mail.messageId);
      if (!earlier) {
        const id = deterministicId(mail.date, owner.accountId, mail.messageId, mail.parsed.sha256);
        plan.added.push(this.placed(owner, id, storage, mail));
      } else if (replace && !earlier.isEncrypted) {
        if (await this.isUnchanged(earlier, mail)) {
          const { id, storageKey: key } = earlier;
          plan.refreshed.push({ id, storage: earlier.storage, storageKey: key, mail });
          continue;
        }
        // A key of its own: the file of a living row is never written over.
        const id = deterministicId(
          mail.date,
          owner.accountId,
          mail.messageId,
          mail.parsed.sha256,
          earlier.id,
        );
        plan.added.push(this.placed(owner, id, storage, mail));
        plan.replaced.push(earlier);
      }
    }
    return plan;
  }

  private placed(owner: ArchiveOwner, id: string, storage: string, mail: MailToArchive): NewArchivedMail {
    return { id, storage, storageKey: storageKey(owner.userId, owner.accountId, mail.date, id), mail };
  }

  private async isUnchanged(earlier: ExistingMail, mail: MailToArchive): Promise<boolean> {
    if (earlier.sha256 !== mail.parsed.sha256 || earlier.threadId !== mail.threadId) return false;
    if (earlier.date.getTime() !== mail.date.getTime()) return false;
    const store = await this.stores.named(earlier.storage);
    if (!(await store.exists(earlier.storageKey))) return false;
    return (await store.hash(earlier.storageKey)) === earlier.sha256;
  }

  private async putAll(store: ArchiveStore, mails: readonly NewArchivedMail[]): Promise<void> {
    const puts = boundedMap(mails, ({ storageKey: key, mail }) => store.put(key, mail.raw), {
      concurrency: CONCURRENT_WRITES,
      maxWaiting: mails.length,
      maxWaitingWeight: 1,
      weigh: () => 0,
    });
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    for await (const _done of puts);
  }

  /**
   * Commits the batch; when the database refuses its data, each mail on its own, and one that is refused even so
   * without its words: the raw message is kept in every case, and the mail says what is missing.
   */
  private async commitWhatFits(owner: ArchiveOwner, plan: BatchPlan): Promise<Committed> {
    try {
      return await this.commit(owner, plan);
    } catch (error) {
      if (!isDataRefused(error)) throw error;
    }
    const result = await this.commit(owner, { added: [], replaced: [], refreshed: plan.refreshed });
    for (const entry of plan.added) {
      const replaced = plan.replaced.filter(({ messageId }) => messageId === entry.mail.messageId);
      const alone = (added: NewArchivedMail): BatchPlan => ({ added: [added], replaced, refreshed: [] });
      const { inserted, removed } = await this.commit(owner, alone(entry)).catch((error: unknown) => {
        if (!isDataRefused(error)) throw error;
        return this.commit(owner, alone(withoutWords(entry)));
      });
      inserted.forEach((id) => result.inserted.add(id));
      removed.forEach((id) => result.removed.add(id));
    }
    return result;
  }

  private commit(owner: ArchiveOwner, plan: BatchPlan): Promise<Committed> {
    return this.transactions.run(async (transaction) => {
      if (!(await this.repository.lockArchive(owner, transaction))) throw new MailboxAccountGone();
      const removed =
        plan.replaced.length === 0
          ? new Set<string>()
          : await this.repository.deleteForReplacement(
              owner.accountId,
              plan.replaced.map(({ id }) => id),
              transaction,
            );
      const inserted =
        plan.added.length === 0
          ? new Set<string>()
          : await this.repository.insert(owner, plan.added, transaction);
      if (plan.refreshed.length > 0) await this.repository.refresh(plan.refreshed, transaction);
      return { inserted, removed };
    });
  }

  private async removeReplacedFiles(
    replaced: readonly ExistingMail[],
    removed: ReadonlySet<string>,
  ): Promise<void> {
    for (const { id, storage, storageKey: key } of replaced) {
      if (removed.has(id)) await (await this.stores.named(storage)).delete(key);
    }
  }

  /** Removes files no row names: their mail lost a race or its transaction was rolled back. */
  private async discardUnnamed(store: ArchiveStore, mails: readonly NewArchivedMail[]): Promise<void> {
    if (mails.length === 0) return;
    const named = await this.repository.existingIds(mails.map(({ id }) => id));
    for (const { id, storageKey: key } of mails) if (!named.has(id)) await store.delete(key);
  }

  private async discardAfterFailure(store: ArchiveStore, mails: readonly NewArchivedMail[]): Promise<void> {
    try {
      await this.discardUnnamed(store, mails);
    } catch (error) {
      // The first error is the one to report; a later attempt at the same mails writes the same files.
      this.logger.warn(`Files of an unfinished batch may remain: ${String(error)}`);
    }
  }
}

/** SQLSTATE classes 22 (data exception) and 54 (program limit exceeded). */
function isDataRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(22|54)/.test(code);
}

function withoutWords(entry: NewArchivedMail): NewArchivedMail {
  const { parsed } = entry.mail;
  const defects = [...parsed.defects, 'the words of the message could not be indexed'];
  return { ...entry, mail: { ...entry.mail, parsed: { ...parsed, searchVector: '', defects } } };
}
