import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { ArchiveOwner } from '../../mails/writing/mail-to-archive';
import type { JobContext } from '../../../platform/jobs/job-definition';
import { AppConfig } from '../../../platform/config/app-config';
import {
  type ImportBatchResult,
  ImportWriter,
  type StagedImportBatch,
  ImportQuotaExceeded,
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
  /** Bytes of the imported messages in their stored form. */
  readonly bytes: number;
  /** Bytes of the file on disk that have been read. */
  readonly bytesRead: number;
  /** Lines `From ` that began a message. */
  readonly separators: number;
  /** Lines that begin with `From ` and were taken for text of a message. */
  readonly fromLinesInText: number;
}

/**
 * Imports an mbox file in constant memory: the next batch is read and parsed, and its files are written, while one is
 * committed. `total` and `processed` count messages; until the end is reached, the total is estimated from the part that has
 * been read.
 */
@Injectable()
export class MboxImporter {
  constructor(
    private readonly writer: ImportWriter,
    private readonly config: AppConfig,
  ) {}

  /**
   * Imports a file from the job's checkpoint on.
   * @throws UploadMissing, NotAnMboxFile, MboxUnpacksTooLarge, StorageQuotaExceeded
   */
  async import(path: string, owner: ArchiveOwner, job: JobContext): Promise<MboxImportResult> {
    const saved = job.savedCheckpoint<Checkpoint>();
    // A checkpoint of an earlier version does not have all counts.
    let state = saved ? { ...NOTHING, ...saved } : await this.begin(job);
    job.report(resultOf(state));
    if (!state.isComplete) state = await this.importRest(path, state, owner, job);
    return resultOf(state);
  }

  private async begin(job: JobContext): Promise<Checkpoint> {
    const state = { ...NOTHING, archivedBefore: await this.writer.readClock(), isComplete: false };
    await job.checkpoint(state);
    return state;
  }

  private async importRest(
    path: string,
    from: Checkpoint,
    owner: ArchiveOwner,
    job: JobContext,
  ): Promise<Checkpoint> {
    const file = await MboxFile.open(path, {
      maxUnpackedBytes: MAX_UNPACKED * this.config.storage.maxUploadBytes,
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
    const ahead = prefetch(this.prepareBatches(batches, owner, signal), () => unwanted.abort(), release);
    for await (const { batch, prepared } of ahead) {
      const { result, end } = await this.archive(prepared, owner, resumedAt);
      resumedAt = undefined;
      state = {
        offset: batch.end,
        imported: state.imported + result.imported,
        duplicates: state.duplicates + result.duplicates,
        sameIdDifferent: state.sameIdDifferent + result.sameIdDifferent,
        failed: state.failed + batch.damaged.length,
        bytes: state.bytes + result.bytes,
        bytesRead: batch.bytesRead,
        separators: state.separators + batch.separators,
        fromLinesInText: state.fromLinesInText + batch.fromLinesInText,
        archivedBefore: await this.writer.readClock(),
        isComplete: false,
      };
      job.report(resultOf(state));
      // The total is set first, so that the progress never exceeds it.
      job.setTotal(estimatedTotal(messagesIn(state), batch, file.size));
      for (const { name, code, reason } of batch.damaged) job.fail(name, code, reason);
      job.progress({ processed: result.imported + result.duplicates });
      // There is no checkpoint: a resumed import has to repeat the whole batch.
      if (end) throw end;
      await job.checkpoint(state);
    }
    state = { ...state, bytesRead: file.bytesRead, isComplete: true };
    job.setTotal(messagesIn(state));
    await job.checkpoint(state);
    return state;
  }

  private async *prepareBatches(
    batches: AsyncGenerator<MboxBatch>,
    owner: ArchiveOwner,
    signal: AbortSignal,
  ): AsyncGenerator<PreparedMboxBatch, void, undefined> {
    for await (const batch of batches) {
      const { userId } = owner;
      yield { batch, prepared: await this.writer.prepare(owner, batch.messages, { userId, signal }) };
    }
  }

  private async archive(
    prepared: StagedImportBatch,
    owner: ArchiveOwner,
    archivedBefore: string | undefined,
  ): Promise<{ result: ImportBatchResult; end: ImportQuotaExceeded | null }> {
    try {
      return {
        result: await this.writer.archivePrepared(owner, prepared, { archivedBefore }),
        end: null,
      };
    } catch (error) {
      if (!(error instanceof ImportQuotaExceeded)) throw error;
      return { result: error.batch, end: error };
    }
  }
}

interface PreparedMboxBatch {
  readonly batch: MboxBatch;
  readonly prepared: StagedImportBatch;
}

const release = ({ prepared }: PreparedMboxBatch): Promise<void> => prepared.release();

const NOTHING = {
  offset: 0,
  imported: 0,
  duplicates: 0,
  sameIdDifferent: 0,
  failed: 0,
  bytes: 0,
  bytesRead: 0,
  separators: 0,
  fromLinesInText: 0,
};

function resultOf(state: Checkpoint): MboxImportResult {
  const { imported, duplicates, sameIdDifferent, failed, bytes, bytesRead, separators, fromLinesInText } =
    state;
  return { imported, duplicates, sameIdDifferent, failed, bytes, bytesRead, separators, fromLinesInText };
}

const messagesIn = ({ imported, duplicates, failed }: Checkpoint): number => imported + duplicates + failed;

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
