import { setMaxListeners } from 'node:events';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { AppConfig } from '../../../platform/config/app-config';
import type { SpoolPlace } from '../containers/spool';
import { UnpackBudget } from '../containers/unpack-budget';
import {
  type ImportBatchResult,
  ImportQuotaExceeded,
  type ImportWriter,
  type StagedImport,
} from '../import-writer';
import { NoMailInArchive } from '../imports.errors';
import { prefetch } from '../../../platform/concurrency/prefetch';
import { addCounts, type Counts, type ImportBatch, importBatches, totalOf } from './import-batches';
import { type ImportSource, type OpenImport, positionOf, sizeOf } from './import-source';
import { BEGINNING, type ImportPosition, ImportWalk } from './import-walk';
import { addNames, type LeftOutNames, type LeftOutReason, type StateNotKept } from './item-reasons';
import type { MailFormat } from './mail-format';

/** Limit of what an upload unpacks to, as a multiple of the largest file that can be uploaded. */
const MAX_UNPACKED = 8;
/** Most files in the archives of an upload. */
const MAX_FILES = 2_000_000;

/** Counts of an upload's items. */
interface FileImportCounts {
  /** Everything that was found: imported + duplicates + failed + the sum of `leftOut`. */
  readonly items: number;
  readonly imported: number;
  /** Messages that were in the archive already, or twice in the upload. */
  readonly duplicates: number;
  /** Number of imported messages whose Message-ID another message has. */
  readonly sameIdDifferent: number;
  /** Items that were skipped, named in `failures`. */
  readonly failed: number;
  /** Items that are no mail to import, by reason. */
  readonly leftOut: Counts<LeftOutReason>;
  /** Names of the first items of each reason. */
  readonly leftOutNames: LeftOutNames;
  /** Numbers of messages by the format that they were found in. */
  readonly formats: Counts<string>;
  /** Numbers of messages with states that the archive has no place for. */
  readonly statesNotKept: Counts<StateNotKept>;
  /** Bytes of the imported messages in their stored form. */
  readonly bytes: number;
  /** Bytes of the file on disk that have been read. */
  readonly bytesRead: number;
  /** Lines `From ` that began a message of an mbox file. */
  readonly separators: number;
  /** Lines that begin with `From ` and were taken for text of a message. */
  readonly fromLinesInText: number;
}

export interface FileImportResult extends FileImportCounts {
  readonly [count: string]: unknown;
  /** Messages that were deleted in the program whose folder it is: `leftOut.deleted`. */
  readonly deleted: number;
  /** Entries in which a program keeps data of the folder: `leftOut.folderData`. */
  readonly folderData: number;
}

/** The checkpoint of an import, small enough to be written with every batch. */
interface Checkpoint extends FileImportCounts {
  readonly at: ImportPosition;
  /** Instant before which everything up to the position was archived. */
  readonly archivedBefore: string;
  /** Whether the file has been read to its end, and may have been deleted. */
  readonly isComplete: boolean;
}

/** A checkpoint as versions before 1.1 wrote it, for an mbox file that was uploaded by itself. */
interface EarlierCheckpoint extends Partial<Checkpoint> {
  readonly offset?: number;
  readonly deleted?: number;
  readonly folderData?: number;
}

export interface ImportMboxServices {
  readonly writer: ImportWriter;
  readonly config: AppConfig;
  readonly spool: SpoolPlace;
  readonly formats: readonly MailFormat[];
}

/**
 * Imports a file or folder in constant memory: the next batch is read and parsed, and its files are written, while one is
 * committed. `total` and `processed` count items; until the end is reached, the total is estimated from the part that has
 * been read. See ADR 110.
 */
export class ImportMboxRun {
  constructor(
    private readonly owner: ArchiveOwner,
    private readonly source: ImportSource,
    private readonly job: JobContext,
    private readonly services: ImportMboxServices,
  ) {}

  /**
   * Imports the file from the job's checkpoint on.
   * @throws UploadMissing, ImportFileChanged, ImportFileUnreadable, NotAnMboxFile, NoMailInArchive, ArchiveUnreadable, ImportUnpacksTooLarge, ImportTooManyFiles,
   *   OutlookReaderMissing, OutlookFileUnreadable, UploadSpaceExhausted, StorageQuotaExceeded
   */
  async run(): Promise<FileImportResult> {
    const saved = this.job.savedCheckpoint<EarlierCheckpoint>();
    let state = saved ? restored(saved) : await this.begin();
    this.job.report(resultOf(state));
    if (!state.isComplete) state = await this.importRest(state);
    return resultOf(state);
  }

  private async begin(): Promise<Checkpoint> {
    const archivedBefore = await this.services.writer.readClock();
    const state = { ...NOTHING, archivedBefore };
    await this.job.checkpoint(state);
    return state;
  }

  private async importRest(from: Checkpoint): Promise<Checkpoint> {
    const opened = await this.source.open(this.job.signal);
    try {
      return await this.importBatches(opened, from);
    } finally {
      await opened.close();
    }
  }

  private async importBatches(opened: OpenImport, from: Checkpoint): Promise<Checkpoint> {
    const { job } = this;
    const { root } = opened;
    const size = sizeOf(root);
    const { writer, config, spool, formats } = this.services;
    let state = from;
    let resumedAt: string | undefined = from.archivedBefore;
    const unwanted = new AbortController();
    const signal = AbortSignal.any([job.signal, unwanted.signal]);
    // Each message that is parsed adds a listener.
    setMaxListeners(0, signal);
    const limits = { maxUnpackedBytes: MAX_UNPACKED * config.storage.maxUploadBytes, maxFiles: MAX_FILES };
    const budget = new UnpackBudget(limits, size, signal);
    const walk = new ImportWalk(root, { formats, budget, spool, signal });
    const batches = importBatches(walk.items(from.at), positionOf(root));
    const ahead = prefetch(
      this.stageBatches(batches, signal),
      () => unwanted.abort(),
      ({ staged }) => staged.abandon(),
    );
    for await (const { batch, staged } of ahead) {
      await requireUnchanged(opened, staged);
      const { result, end } = await commit(staged, resumedAt);
      resumedAt = undefined;
      state = { ...added(state, batch, result), archivedBefore: await writer.readClock() };
      job.report(resultOf(state));
      // The total is set first, so that the progress never exceeds it.
      job.setTotal(estimatedTotal(state.items, batch.bytesDone, size));
      for (const { name, code, reason } of batch.damaged) job.fail(name, code, reason);
      job.progress({ processed: result.imported + result.duplicates + totalOf(batch.leftOut) });
      // There is no checkpoint: a resumed import has to repeat the whole batch.
      if (end) throw end;
      await job.checkpoint(state);
    }
    await opened.verifyWhole();
    state = { ...state, bytesRead: size, isComplete: true };
    job.setTotal(state.items);
    if (totalOf(state.formats) === 0) throw this.noMail(state);
    await job.checkpoint(state);
    return state;
  }

  private noMail(state: Checkpoint): NoMailInArchive {
    this.job.report(resultOf(state));
    return new NoMailInArchive({ leftOut: totalOf(state.leftOut), failed: state.failed });
  }

  private async *stageBatches(
    batches: AsyncGenerator<ImportBatch>,
    signal: AbortSignal,
  ): AsyncGenerator<StagedFileBatch, void, undefined> {
    const { owner } = this;
    const job = { userId: owner.userId, signal };
    for await (const batch of batches) {
      yield { batch, staged: await this.services.writer.stage(owner, batch.messages, job) };
    }
  }
}

/** Makes sure that a batch was read from the bytes that the import is of. @throws ImportFileChanged */
async function requireUnchanged(opened: OpenImport, staged: StagedImport): Promise<void> {
  try {
    await opened.verify();
  } catch (error) {
    await staged.abandon();
    throw error;
  }
}

interface StagedFileBatch {
  readonly batch: ImportBatch;
  readonly staged: StagedImport;
}

/** Writes the rows of a batch. @returns its counts, and why it is the last one that is imported */
async function commit(
  staged: StagedImport,
  archivedBefore: string | undefined,
): Promise<{ result: ImportBatchResult; end: ImportQuotaExceeded | null }> {
  try {
    return { result: await staged.commit({ archivedBefore }), end: null };
  } catch (error) {
    if (!(error instanceof ImportQuotaExceeded)) throw error;
    return { result: error.batch, end: error };
  }
}

const NOTHING: Checkpoint = {
  at: BEGINNING,
  items: 0,
  imported: 0,
  duplicates: 0,
  sameIdDifferent: 0,
  failed: 0,
  leftOut: {},
  leftOutNames: {},
  formats: {},
  statesNotKept: {},
  bytes: 0,
  bytesRead: 0,
  separators: 0,
  fromLinesInText: 0,
  archivedBefore: '',
  isComplete: false,
};

/** A checkpoint of any version. Earlier ones do not have all counts. */
function restored(saved: EarlierCheckpoint): Checkpoint {
  if (saved.at) return { ...NOTHING, ...saved };
  const { offset = 0, deleted = 0, folderData = 0, ...counts } = saved;
  const { imported = 0, duplicates = 0, failed = 0 } = counts;
  const items = imported + duplicates + failed + deleted + folderData;
  const leftOut = { ...(deleted && { deleted }), ...(folderData && { folderData }) };
  return { ...NOTHING, ...counts, at: { path: [], offset }, items, leftOut, formats: { mbox: items } };
}

function added(
  state: Checkpoint,
  batch: ImportBatch,
  result: ImportBatchResult,
): Omit<Checkpoint, 'archivedBefore'> {
  return {
    at: batch.end,
    // A quota that is used up ends the batch before all of its messages are counted.
    items: state.items + batch.items - batch.messages.length + result.imported + result.duplicates,
    imported: state.imported + result.imported,
    duplicates: state.duplicates + result.duplicates,
    sameIdDifferent: state.sameIdDifferent + result.sameIdDifferent,
    failed: state.failed + batch.damaged.length,
    leftOut: addCounts(state.leftOut, batch.leftOut),
    leftOutNames: addNames(state.leftOutNames, batch.leftOutNames),
    formats: addCounts(state.formats, batch.formats),
    statesNotKept: addCounts(state.statesNotKept, batch.notKept),
    bytes: state.bytes + result.bytes,
    bytesRead: batch.bytesRead,
    separators: state.separators + batch.separators,
    fromLinesInText: state.fromLinesInText + batch.fromLinesInText,
    isComplete: false,
  };
}

function resultOf(state: Checkpoint): FileImportResult {
  const { at: _at, archivedBefore: _before, isComplete: _complete, ...counts } = state;
  const { deleted = 0, folderData = 0 } = state.leftOut;
  return { ...counts, deleted, folderData };
}

/**
 * Estimates the number of items of an upload, as if its rest had as many for its size as the part that is done. The part that
 * was read ahead is not done: a small file has been read to its end before its first batch is archived.
 * @param done items up to the end of the batch
 * @param bytesDone bytes of the upload on disk that these take
 * @param fileSize bytes on disk; the rest of a compressed file is assumed to unpack like the part that has been read
 */
export function estimatedTotal(done: number, bytesDone: number, fileSize: number): number {
  const share = bytesDone / Math.max(1, fileSize);
  return Math.max(done, Math.round(done / Math.min(1, Math.max(share, 1e-6))));
}
