import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';
import type { ArchiveOwner } from '../../archive/writing/mail-to-archive';
import type { JobContext } from '../../common/jobs/job-context';
import { AppConfig } from '../../config/app-config';
import { type IntakeResult, MessageIntake, QuotaEndedIntake } from '../intake/message-intake.port';
import { detectDialect } from './splitting/detect-dialect';
import { type MboxBatch, mboxBatches } from './mbox-batches';
import { MboxFile } from './mbox-file';
import { NotAnMboxFile } from './mbox.errors';

const MIB = 1024 * 1024;
/** What kind of file it is, its beginning says. */
const SAMPLE_BYTES = 4 * MIB;
/** Providers take messages of up to 150 MB. */
const MAX_MESSAGE_BYTES = 150 * MIB;
/** A compressed file may unpack to so many times the largest file that can be uploaded. */
const MAX_UNPACKED = 8;

/** Small enough to be written with every batch. */
interface Checkpoint {
  /** Where the next batch begins, in the unpacked file. */
  readonly offset: number;
  readonly imported: number;
  readonly duplicates: number;
  readonly failed: number;
  /** Of the imported messages. */
  readonly bytes: number;
  /** Of the file on disk. */
  readonly bytesRead: number;
  /** Everything before the offset was archived before this instant. */
  readonly archivedBefore: string;
  /** The file has been read to its end, and may be gone. */
  readonly isComplete: boolean;
}

/** What became of the messages of a file. */
export interface MboxImportResult {
  readonly [count: string]: unknown;
  readonly imported: number;
  /** Messages that were in the archive already, or twice in the file. */
  readonly duplicates: number;
  /** Messages that were skipped, named in `failures`. */
  readonly failed: number;
  /** Of the imported messages, as they are stored. */
  readonly bytes: number;
  /** Of the file on disk. */
  readonly bytesRead: number;
}

/**
 * Imports an mbox file in constant memory: the next batch is read while one is parsed and written. `total` and
 * `processed` count messages; how many there are in all is estimated from what has been read until the end is reached.
 */
@Injectable()
export class MboxImporter {
  constructor(
    private readonly intake: MessageIntake,
    private readonly config: AppConfig,
  ) {}

  /**
   * Goes on from the job's checkpoint.
   * @throws UploadMissing, NotAnMboxFile, MboxUnpacksTooLarge, StorageQuotaExceeded
   */
  async import(path: string, owner: ArchiveOwner, job: JobContext): Promise<MboxImportResult> {
    // Each message that is parsed listens to it.
    setMaxListeners(0, job.signal);
    let state = job.savedCheckpoint<Checkpoint>() ?? (await this.begin(job));
    if (!state.isComplete) state = await this.importRest(path, state, owner, job);
    const { imported, duplicates, failed, bytes, bytesRead } = state;
    return { imported, duplicates, failed, bytes, bytesRead };
  }

  private async begin(job: JobContext): Promise<Checkpoint> {
    const nothing = { offset: 0, imported: 0, duplicates: 0, failed: 0, bytes: 0, bytesRead: 0 };
    const state = { ...nothing, archivedBefore: await this.intake.now(), isComplete: false };
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
    const sample = await file.sample(SAMPLE_BYTES);
    const dialect = detectDialect(sample.bytes, sample.isWhole);
    if (!dialect) throw new NotAnMboxFile(file.damage);
    let state = from;
    let resumedAt: string | undefined = from.archivedBefore;
    const batches = mboxBatches(file, dialect, { offset: from.offset, maxMessageBytes: MAX_MESSAGE_BYTES });
    for await (const batch of oneAhead(batches)) {
      const { taken, end } = await this.take(batch, owner, job, resumedAt);
      resumedAt = undefined;
      for (const { name, reason } of batch.damaged) job.fail(name, reason);
      job.progress({ processed: taken.imported + taken.duplicates });
      state = {
        offset: batch.end,
        imported: state.imported + taken.imported,
        duplicates: state.duplicates + taken.duplicates,
        failed: state.failed + batch.damaged.length,
        bytes: state.bytes + taken.bytes,
        bytesRead: batch.bytesRead,
        archivedBefore: await this.intake.now(),
        isComplete: false,
      };
      job.setTotal(estimatedTotal(state, file.size));
      await job.checkpoint(state);
      if (end) throw end;
    }
    state = { ...state, bytesRead: file.bytesRead, isComplete: true };
    job.setTotal(messagesIn(state));
    await job.checkpoint(state);
    return state;
  }

  private async take(
    batch: MboxBatch,
    owner: ArchiveOwner,
    job: JobContext,
    archivedBefore: string | undefined,
  ): Promise<{ taken: IntakeResult; end: QuotaEndedIntake | null }> {
    try {
      return { taken: await this.intake.take(owner, batch.messages, job, { archivedBefore }), end: null };
    } catch (error) {
      if (!(error instanceof QuotaEndedIntake)) throw error;
      return { taken: error.taken, end: error };
    }
  }
}

const messagesIn = ({ imported, duplicates, failed }: Checkpoint): number => imported + duplicates + failed;

/** As if what has not been read held as many messages as what has. */
function estimatedTotal(state: Checkpoint, fileSize: number): number {
  const share = Math.min(1, state.bytesRead / Math.max(1, fileSize));
  return Math.max(messagesIn(state), Math.round(messagesIn(state) / Math.max(share, 1e-6)));
}

/** Asks for the next while the consumer is at work on one. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  const ask = (): Promise<IteratorResult<T, unknown>> => {
    const next = source.next();
    // It is looked at when its turn comes.
    next.catch(() => undefined);
    return next;
  };
  let next = ask();
  try {
    for (;;) {
      const current = await next;
      if (current.done) return;
      next = ask();
      yield current.value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return(undefined);
  }
}
