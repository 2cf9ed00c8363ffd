import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions';
import { FileDeletions } from '../../archive-storage/file-deletions';
import { RemovalWatches } from '../../archive-storage/removal-watch';
import { ArchiveStores } from '../../archive-storage/archive-store.port';
import { ArchiveCommits, CommitOptions, Committed, filesOf } from './archive-commits';
import { countArchived } from './archive-metrics';
import { ArchiveWritesRepository } from './archive-writes.repository';
import { BatchFiles } from './batch-files';
import type { ArchiveOwner, MailToArchive, NewArchivedMail } from './mail-to-archive';
import { BatchPlan, WritePlanner } from './write-planner';

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

/**
 * Writes mails into the archive: files first, then all rows in one transaction, so that no row is ever without its
 * file. Ids follow from account, message and content: doing it again after a crash writes the same files again.
 */
@Injectable()
export class ArchiveWriter {
  private readonly logger = new Logger(ArchiveWriter.name);

  constructor(
    private readonly planner: WritePlanner,
    private readonly commits: ArchiveCommits,
    private readonly repository: ArchiveWritesRepository,
    private readonly watches: RemovalWatches,
    private readonly removals: FileDeletions,
    private readonly stores: ArchiveStores,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Archives a batch of messages, each message id at most once in it.
   * @throws MailboxAccountGone; nothing of the batch is left then, neither rows nor files
   * @throws ArchiveBusy
   */
  async write(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    options: WriteOptions,
  ): Promise<WrittenBatch> {
    const { storage, store } = await this.stores.forWriting(owner.userId);
    const plan = await this.planner.plan(owner, mails, storage, options);
    const files = new BatchFiles(plan.added, store, this.watches.open(storage), options.signal);
    let committed: Committed;
    try {
      await files.put();
      committed = await this.commitWhatFits(owner, plan, files, options.skipDuplicates ?? false);
    } catch (error) {
      await this.discard(owner, plan.added);
      throw error;
    }
    if (committed.removals.length > 0) await this.removals.carryOut(committed.removals);
    const written = writtenOf(mails, plan, committed);
    countArchived(written.archived.length, written.bytes);
    const vanished = plan.refreshed.filter(({ id }) => !committed.refreshed.has(id));
    if (vanished.length === 0) return written;
    // Removed since they were looked at: they are archived anew. Encrypted since: they are kept.
    const again = vanished.map(({ mail }) => mail);
    return joined(mails, written, await this.write(owner, again, options));
  }

  /**
   * Commits the batch; when the database refuses its data, each mail on its own, and one that is refused even so
   * without its words: the raw message is kept in every case, and the mail says what is missing.
   */
  private async commitWhatFits(
    owner: ArchiveOwner,
    plan: BatchPlan,
    files: BatchFiles,
    skipDuplicates: boolean,
  ): Promise<Committed> {
    const options: CommitOptions = { skipDuplicates, refused: plan.refused.length > 0 };
    try {
      return await this.commits.commit(owner, plan, files, options);
    } catch (error) {
      if (!isDataRefused(error)) throw error;
    }
    const parts = [await this.commits.commit(owner, { ...plan, added: [] }, files, options)];
    for (const [position, entry] of plan.added.entries()) {
      const alone = (added: NewArchivedMail): Promise<Committed> => {
        const replaced = new Map([...plan.replaced].filter(([id]) => id === entry.mail.messageId));
        const single = { ...plan, added: [added], replaced, refreshed: [] };
        return this.commits.commit(owner, single, files, { skipDuplicates, refused: false });
      };
      const part = await alone(entry).catch((error: unknown) => {
        if (!isDataRefused(error)) throw error;
        return alone(withoutWords(entry));
      });
      parts.push(part);
      if (part.refused.length > 0) {
        await this.discard(owner, plan.added.slice(position + 1));
        break;
      }
    }
    return together(parts, plan);
  }

  /** Removes files that no row names: their transaction was rolled back, or never came. */
  private async discard(owner: ArchiveOwner, mails: readonly NewArchivedMail[]): Promise<void> {
    if (mails.length === 0) return;
    const files = filesOf(owner, mails);
    try {
      await this.transactions.run(async (transaction) => {
        // An account that is gone needs no lock: nobody writes rows of it any more.
        await this.repository.lockArchive(owner, transaction);
        await this.removals.register(files, transaction);
      });
      await this.removals.carryOut(files);
    } catch (error) {
      // What went wrong before is what to report; a later attempt at the same mails writes the same files.
      this.logger.warn(`Files of an unfinished batch may remain: ${String(error)}`);
    }
  }
}

function writtenOf(mails: readonly MailToArchive[], plan: BatchPlan, committed: Committed): WrittenBatch {
  const written = [
    ...plan.added.filter(({ id }) => committed.inserted.has(id)),
    ...plan.refreshed.filter(({ id }) => committed.refreshed.has(id)),
  ];
  const archived = written.map(({ mail }) => mail.messageId);
  const duplicates = [...plan.duplicates, ...committed.duplicates];
  const refused = [...committed.refused, ...plan.refused];
  const accounted = new Set([...archived, ...duplicates, ...refused]);
  return {
    archived,
    bytes: written.reduce((sum, { mail }) => sum + mail.raw.length, 0),
    kept: mails.map(({ messageId }) => messageId).filter((id) => !accounted.has(id)),
    duplicates,
    refused,
  };
}

/** @param again what became of those the first attempt could only keep */
function joined(mails: readonly MailToArchive[], first: WrittenBatch, again: WrittenBatch): WrittenBatch {
  const archived = [...first.archived, ...again.archived];
  const duplicates = [...first.duplicates, ...again.duplicates];
  const refused = [...first.refused, ...again.refused];
  const accounted = new Set([...archived, ...duplicates, ...refused]);
  const kept = mails.map(({ messageId }) => messageId).filter((id) => !accounted.has(id));
  return { archived, bytes: first.bytes + again.bytes, kept, duplicates, refused };
}

function together(parts: readonly Committed[], plan: BatchPlan): Committed {
  const inserted = new Set(parts.flatMap((part) => [...part.inserted]));
  const duplicates = parts.flatMap((part) => part.duplicates);
  const firstRefused = parts.flatMap((part) => part.refused)[0];
  const position = plan.added.findIndex(({ mail }) => mail.messageId === firstRefused);
  return {
    inserted,
    refreshed: new Set(parts.flatMap((part) => [...part.refreshed])),
    duplicates,
    refused: position < 0 ? [] : plan.added.slice(position).map(({ mail }) => mail.messageId),
    removals: parts.flatMap((part) => part.removals),
  };
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
