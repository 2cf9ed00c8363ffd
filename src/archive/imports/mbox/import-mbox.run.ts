import { setMaxListeners } from 'node:events';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { AppConfig } from '../../../platform/config/app-config';
import {
  type ImportBatchResult,
  ImportQuotaExceeded,
  type ImportWriter,
  type StagedImport,
} from '../import-writer';
import { prefetch } from '../../../platform/concurrency/prefetch';
import { detectDialect } from './detect-dialect';
import { type MboxBatch, mboxBatches } from './mbox-batches';
import { MboxFile } from './mbox-file';
import { NotAnMboxFile } from '../imports.errors';

const MIB = 1024 * 1024;
/** Bytes at the beginning of a file by which its kind is decided. */
const SAMPLE_BYTES = 4 * MIB;
/** Size of the largest message that is imported: providers take messages of up to 150 MB. */
const MAX_MESSAGE_BYTES = 150 * MIB;
/** Limit of a compressed file's unpacked size, as a multiple of the largest file that can be uploaded. */
const MAX_UNPACKED = 8;

/** The checkpoint of an import, small enough to be written with every batch. */
interface Checkpoint {
  /** Offset of the next batch in the unpacked file. */
  readonly offset: number;
  readonly imported: number;
  readonly duplicates: number;
  readonly sameIdDifferent: number;
  readonly failed: number;
  readonly deleted: number;
  readonly folderData: number;
  /** Bytes of the imported messages. */
  readonly bytes: number;
  /** Bytes of the file on disk that have been read. */
  readonly bytesRead: number;
  readonly separators: number;
  readonly fromLinesInText: number;
  /** Instant before which everything up to the offset was archived. */
  readonly archivedBefore: string;
  /** Whether the file has been read to its end, and may have been deleted. */
  readonly isComplete: boolean;
}

/** Counts of a file's messages. */
export interface MboxImportResult {
  readonly [count: string]: unknown;
  readonly imported: number;
  /** Messages that were in the archive already, or twice in the file. */
  readonly duplicates: number;
  /** Number of imported messages whose Message-ID another message has. */
  readonly sameIdDifferent: number;
  /** Messages that were skipped, named in `failures`. */
  readonly failed: number;
  /** Messages that were deleted in the program whose folder it is, and not imported. */
  readonly deleted: number;
  /** Messages in which a program keeps data of the folder, not imported. */
  readonly folderData: number;
  /** Bytes of the imported messages in their stored form. */
  readonly bytes: number;
  /** Bytes of the file on disk that have been read. */
  readonly bytesRead: number;
  /** Lines `From ` that began a message. */
  readonly separators: number;
  /** Lines that begin with `From ` and were taken for text of a message. */
  readonly fromLinesInText: number;
}

export interface ImportMboxServices {
  readonly writer: ImportWriter;
  readonly config: AppConfig;
}

/**
 * Imports an mbox file in constant memory: the next batch is read and parsed, and its files are written, while one is
 * committed. `total` and `processed` count messages; until the end is reached, the total is estimated from the part that has
 * been read.
 */
export class ImportMboxRun {
  /** @param path of the file */
  constructor(
    private readonly owner: ArchiveOwner,
    private readonly path: string,
    private readonly job: JobContext,
    private readonly services: ImportMboxServices,
  ) {}

  /**
   * Imports the file from the job's checkpoint on.
   * @throws UploadMissing, NotAnMboxFile, MboxUnpacksTooLarge, StorageQuotaExceeded
   */
  async run(): Promise<MboxImportResult> {
    const saved = this.job.savedCheckpoint<Checkpoint>();
    // A checkpoint of an earlier version does not have all counts.
    let state = saved ? { ...NOTHING, ...saved } : await this.begin();
    this.job.report(resultOf(state));
    if (!state.isComplete) state = await this.importRest(state);
    return resultOf(state);
  }

  private async begin(): Promise<Checkpoint> {
    const archivedBefore = await this.services.writer.readClock();
    const state = { ...NOTHING, archivedBefore, isComplete: false };
    await this.job.checkpoint(state);
    return state;
  }

  private async importRest(from: Checkpoint): Promise<Checkpoint> {
    const { job, path } = this;
    const { writer, config } = this.services;
    const file = await MboxFile.open(path, {
      maxUnpackedBytes: MAX_UNPACKED * config.storage.maxUploadBytes,
    });
    const dialect = detectDialect(await file.readSample(SAMPLE_BYTES), SAMPLE_BYTES);
    if (!dialect) throw new NotAnMboxFile(file.damage?.reason ?? null);
    let state = from;
    let resumedAt: string | undefined = from.archivedBefore;
    const batches = mboxBatches(file, dialect, { offset: from.offset, maxMessageBytes: MAX_MESSAGE_BYTES });
    const unwanted = new AbortController();
    const signal = AbortSignal.any([job.signal, unwanted.signal]);
    // Each message that is parsed adds a listener.
    setMaxListeners(0, signal);
    const ahead = prefetch(
      this.stageBatches(batches, signal),
      () => unwanted.abort(),
      ({ staged }) => staged.abandon(),
    );
    for await (const { batch, staged } of ahead) {
      const { result, end } = await commit(staged, resumedAt);
      resumedAt = undefined;
      state = {
        offset: batch.end,
        imported: state.imported + result.imported,
        duplicates: state.duplicates + result.duplicates,
        sameIdDifferent: state.sameIdDifferent + result.sameIdDifferent,
        failed: state.failed + batch.damaged.length,
        deleted: state.deleted + batch.leftOut.deleted,
        folderData: state.folderData + batch.leftOut.folderData,
        bytes: state.bytes + result.bytes,
        bytesRead: batch.bytesRead,
        separators: state.separators + batch.separators,
        fromLinesInText: state.fromLinesInText + batch.fromLinesInText,
        archivedBefore: await writer.readClock(),
        isComplete: false,
      };
      job.report(resultOf(state));
      // The total is set first, so that the progress never exceeds it.
      job.setTotal(estimatedTotal(messagesIn(state), batch, file.size));
      for (const { name, code, reason } of batch.damaged) job.fail(name, code, reason);
      const leftOut = batch.leftOut.deleted + batch.leftOut.folderData;
      job.progress({ processed: result.imported + result.duplicates + leftOut });
      // There is no checkpoint: a resumed import has to repeat the whole batch.
      if (end) throw end;
      await job.checkpoint(state);
    }
    state = { ...state, bytesRead: file.bytesRead, isComplete: true };
    job.setTotal(messagesIn(state));
    await job.checkpoint(state);
    return state;
  }

  private async *stageBatches(
    batches: AsyncGenerator<MboxBatch>,
    signal: AbortSignal,
  ): AsyncGenerator<StagedMboxBatch, void, undefined> {
    const { owner } = this;
    const job = { userId: owner.userId, signal };
    for await (const batch of batches) {
      yield { batch, staged: await this.services.writer.stage(owner, batch.messages, job) };
    }
  }
}

interface StagedMboxBatch {
  readonly batch: MboxBatch;
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

const NOTHING = {
  offset: 0,
  imported: 0,
  duplicates: 0,
  sameIdDifferent: 0,
  failed: 0,
  deleted: 0,
  folderData: 0,
  bytes: 0,
  bytesRead: 0,
  separators: 0,
  fromLinesInText: 0,
};

function resultOf(state: Checkpoint): MboxImportResult {
  const { imported, duplicates, sameIdDifferent, failed, deleted, folderData, bytes } = state;
  const { bytesRead, separators, fromLinesInText } = state;
  return {
    ...{ imported, duplicates, sameIdDifferent, failed, deleted, folderData },
    ...{ bytes, bytesRead, separators, fromLinesInText },
  };
}

const messagesIn = ({ imported, duplicates, failed, deleted, folderData }: Checkpoint): number =>
  imported + duplicates + failed + deleted + folderData;

/**
 * Estimates the number of messages of a file, as if its rest had as many for its size as the part that is done. The part that
 * was read ahead is not done: a small file has been read to its end before its first batch is archived.
 * @param done messages up to the end of the batch
 * @param fileSize bytes on disk; the rest of a compressed file is assumed to unpack like the part that has been read
 */
export function estimatedTotal(
  done: number,
  { end, readTo, bytesRead }: Pick<MboxBatch, 'end' | 'readTo' | 'bytesRead'>,
  fileSize: number,
): number {
  const share = (end / Math.max(1, readTo)) * (bytesRead / Math.max(1, fileSize));
  return Math.max(done, Math.round(done / Math.min(1, Math.max(share, 1e-6))));
}
