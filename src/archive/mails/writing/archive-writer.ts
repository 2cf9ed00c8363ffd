import { Injectable } from '@nestjs/common';
import { FileDeletions } from '../../files/file-deletions';
import { FilesLost, ReservedFiles } from '../../files/reserved-files';
import { type ArchiveStore, ArchiveStores } from '../../files/archive-store.port';
import { forEachConcurrently } from '../../../platform/concurrency/for-each-concurrently';
import { ArchiveBusy } from '../archive.errors';
import { NO_WORDS } from '../search/search-vector';
import type { ArchiveParse } from '../archiving/parse-message.task';
import { ArchiveCommits, CommitOptions, Committed, filesOf } from './archive-commits';
import { countArchived } from './archive-metrics';
import type { ArchiveOwner, MailToArchive, NewArchivedMail, RecognisedMail } from './mail-to-archive';
import { StagedBatch } from './staged-batch';
import { type BatchPlan, WritePlanner } from './write-planner';

export interface WriteOptions {
  /**
   * Whether mail that is archived already is replaced if it differs or its file is damaged, and refreshed otherwise; false
   * keeps it.
   * Encrypted mails are always kept.
   */
  readonly replace: boolean;
  /** For imports: mail that the account has already is not archived again; see `ImportIdentities`, which names the rest. */
  readonly skipDuplicates?: boolean;
  /** Ends the waiting for a store that cannot be reached. */
  readonly signal?: AbortSignal;
}

export interface WrittenBatch {
  /** Names of the mails that this call has archived: their message ids, except for imports. */
  readonly archived: readonly string[];
  readonly bytes: number;
  /** Message ids of mails left as they were: another writer archived them first, or they are encrypted. */
  readonly kept: readonly string[];
  /** Mails not archived because the account has them; only with `skipDuplicates`. */
  readonly duplicates: readonly RecognisedMail[];
  /**
   * Message ids the storage quota has no room for. Those before them are archived; the caller accounts for these and
   * then ends with `StorageQuotaExceeded`.
   */
  readonly refused: readonly string[];
}

/** A batch of mails with what has been written of it. */
interface WrittenFiles {
  readonly owner: ArchiveOwner;
  readonly mails: readonly MailToArchive[];
  readonly options: WriteOptions;
  readonly plan: BatchPlan;
  readonly files: ReservedFiles;
  /** Number of times that the files have been written. */
  readonly attempt: number;
}

/** Threads of mails that had none when their files were written, by what was parsed of them. */
export type ThreadsOfParsed = ReadonlyMap<ArchiveParse, string>;

/** For batches whose mails all have a thread, as messages of a mailbox do. */
export const NO_THREADS: ThreadsOfParsed = new Map();

/** Files written to an object store at a time. */
const CONCURRENT_WRITES = 48;
/** Most attempts at a batch: it is written again when its files were deleted before their rows were committed. */
const MAX_ATTEMPTS = 3;

/**
 * Writes mails into the archive: files first, then all rows in one transaction, so that no row is ever without its
 * file. Files are reserved before they are written: those of a writer that is killed are deleted.
 */
@Injectable()
export class ArchiveWriter {
  constructor(
    private readonly planner: WritePlanner,
    private readonly commits: ArchiveCommits,
    private readonly fileDeletions: FileDeletions,
    private readonly stores: ArchiveStores,
  ) {}

  /**
   * Archives a batch of messages, each message id at most once in it, except in imports.
   * @throws MailboxAccountGone; nothing of the batch is left then, neither rows nor files
   * @throws ArchiveBusy
   */
  async write(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    options: WriteOptions,
  ): Promise<WrittenBatch> {
    return this.commit(await this.writeFiles(owner, mails, options), NO_THREADS);
  }

  /** Does the first half of `write`, for callers that write the files of a batch while the one before is committed. */
  async stage(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    options: WriteOptions,
  ): Promise<StagedBatch<WrittenBatch, ThreadsOfParsed>> {
    const written = await this.writeFiles(owner, mails, options);
    return new StagedBatch<WrittenBatch, ThreadsOfParsed>({
      commit: (threads) => this.commit(written, threads),
      abandon: () => written.files.release(),
    });
  }

  private async writeFiles(
    owner: ArchiveOwner,
    mails: readonly MailToArchive[],
    options: WriteOptions,
    attempt = 1,
  ): Promise<WrittenFiles> {
    const { storage, store } = await this.stores.findForWriting(owner.userId);
    const plan = await this.planner.plan(owner, mails, storage, options);
    const files = await this.fileDeletions.reserve(filesOf(owner, plan.added));
    try {
      await putAll(store, plan.added, options.signal);
      return { owner, mails, options, plan, files, attempt };
    } catch (error) {
      await files.release();
      throw error;
    }
  }

  private async commit(batch: WrittenFiles, threads: ThreadsOfParsed): Promise<WrittenBatch> {
    const { owner, mails, options } = batch;
    const { plan, committed } = await this.commitFiled(batch, threads);
    const written = writtenOf(mails, plan, committed);
    countArchived(written.archived.length, written.bytes);
    const vanished = plan.refreshed.filter(({ id }) => !committed.refreshed.has(id));
    if (vanished.length === 0) return written;
    // Mails deleted since the plan was made are archived anew; mails encrypted since then are kept.
    const again = vanished.map(({ mail }) => mail);
    return joinWritten(mails, written, await this.write(owner, again, options));
  }

  private async commitFiled(
    batch: WrittenFiles,
    threads: ThreadsOfParsed,
  ): Promise<{ plan: BatchPlan; committed: Committed }> {
    const { owner, mails, options, files, attempt } = batch;
    const plan = assignThreads(batch.plan, threads);
    let isLost = false;
    try {
      return {
        plan,
        committed: await this.commitWithFallback(owner, plan, files, options.skipDuplicates ?? false),
      };
    } catch (error) {
      isLost = error instanceof FilesLost;
      if (!isLost) throw error;
      // Another attempt would take mails that a part of this batch has committed for those of another writer.
      if (attempt === MAX_ATTEMPTS || files.hasKept) throw new ArchiveBusy();
    } finally {
      await files.release({ isLost });
    }
    return this.commitFiled(await this.writeFiles(owner, mails, options, attempt + 1), threads);
  }

  /**
   * Commits the batch. When the database refuses its data, it commits each mail on its own, and a mail that is refused
   * even then without its search words: the raw message is archived in any case, and the mail says what is missing.
   */
  private async commitWithFallback(
    owner: ArchiveOwner,
    plan: BatchPlan,
    files: ReservedFiles,
    skipDuplicates: boolean,
  ): Promise<Committed> {
    const options: CommitOptions = { skipDuplicates, refused: plan.refused.length > 0 };
    try {
      return await this.commits.commit(owner, plan, files, options);
    } catch (error) {
      if (!isDataRefused(error)) throw error;
    }
    const parts = [await this.commits.commit(owner, { ...plan, added: [] }, files, options)];
    for (const entry of plan.added) {
      const commitAlone = (added: NewArchivedMail): Promise<Committed> => {
        const replaced = new Map([...plan.replaced].filter(([id]) => id === entry.mail.messageId));
        const single = { ...plan, added: [added], replaced, refreshed: [] };
        return this.commits.commit(owner, single, files, { skipDuplicates, refused: false });
      };
      const part = await commitAlone(entry).catch((error: unknown) => {
        if (!isDataRefused(error)) throw error;
        return commitAlone(dropWords(entry));
      });
      parts.push(part);
      if (part.refused.length > 0) break;
    }
    return joinCommitted(parts, plan);
  }
}

async function putAll(
  store: ArchiveStore,
  mails: readonly NewArchivedMail[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const objects = mails.map(({ storageKey, mail }) => ({ key: storageKey, bytes: mail.raw }));
  if (store.putMany) return store.putMany(objects);
  await forEachConcurrently(objects, CONCURRENT_WRITES, ({ key, bytes }) =>
    store.put(key, bytes, { signal }),
  );
}

function assignThreads(plan: BatchPlan, threads: ThreadsOfParsed): BatchPlan {
  if (threads.size === 0) return plan;
  const added = plan.added.map((entry) => {
    const threadId = threads.get(entry.mail.parsed);
    return threadId === undefined ? entry : { ...entry, mail: { ...entry.mail, threadId } };
  });
  return { ...plan, added };
}

function writtenOf(mails: readonly MailToArchive[], plan: BatchPlan, committed: Committed): WrittenBatch {
  const written = [
    ...plan.added.filter(({ id }) => committed.inserted.has(id)),
    ...plan.refreshed.filter(({ id }) => committed.refreshed.has(id)),
  ];
  const archived = written.map(({ id, name }) => committed.inserted.get(id) ?? name);
  const duplicates = [...plan.duplicates, ...committed.duplicates];
  const refused = [...committed.refused, ...plan.refused];
  const accounted = new Set([
    ...written.map(({ mail }) => mail.messageId),
    ...duplicates.map(({ messageId }) => messageId),
    ...refused,
  ]);
  return {
    archived,
    bytes: written.reduce((sum, { mail }) => sum + mail.raw.length, 0),
    kept: mails.map(({ messageId }) => messageId).filter((id) => !accounted.has(id)),
    duplicates,
    refused,
  };
}

/** @param again the result of the second attempt, at the mails that the first could only keep */
function joinWritten(
  mails: readonly MailToArchive[],
  first: WrittenBatch,
  again: WrittenBatch,
): WrittenBatch {
  const archived = [...first.archived, ...again.archived];
  const duplicates = [...first.duplicates, ...again.duplicates];
  const refused = [...first.refused, ...again.refused];
  const accounted = new Set([...archived, ...duplicates.map(({ messageId }) => messageId), ...refused]);
  const kept = mails.map(({ messageId }) => messageId).filter((id) => !accounted.has(id));
  return { archived, bytes: first.bytes + again.bytes, kept, duplicates, refused };
}

function joinCommitted(parts: readonly Committed[], plan: BatchPlan): Committed {
  const inserted = new Map(parts.flatMap((part) => [...part.inserted]));
  const duplicates = parts.flatMap((part) => part.duplicates);
  // After the first part, which adds nothing, there is one for each mail up to the first that is refused.
  const isRefused = parts.some((part) => part.refused.length > 0);
  return {
    inserted,
    refreshed: new Set(parts.flatMap((part) => [...part.refreshed])),
    duplicates,
    refused: isRefused ? plan.added.slice(parts.length - 2).map(({ mail }) => mail.messageId) : [],
  };
}

/** SQLSTATE classes 22 (data exception) and 54 (program limit exceeded). */
export function isDataRefused(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^(22|54)/.test(code);
}

function dropWords(entry: NewArchivedMail): NewArchivedMail {
  const { parsed } = entry.mail;
  const defects = [...parsed.defects, 'the words of the message could not be indexed'];
  return { ...entry, mail: { ...entry.mail, parsed: { ...parsed, words: NO_WORDS, defects } } };
}
