import { Injectable } from '@nestjs/common';
import { joinBuffers } from '../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped, type WorkerTask } from '../../platform/workers/worker-pool';
import type { JoinedPart, MailsToExport } from './export-part.task';
import { mboxMails, type MboxPart, type MboxSource } from './mbox-mails';
import type { ZipEntryStart } from './zip-format';
import { zipMails, type ZipPart } from './zip-mails';

const MODULE = require.resolve('./export-part.task');
const ZIP_PART = { module: MODULE, name: 'zipPart' };
const MBOX_PART = { module: MODULE, name: 'mboxPart' };
/** Number of bytes from which a worker thread is worth its cost: it may have to be started, and the first byte waits for it. */
const WORTH_A_WORKER = 256 * 1024;

/** Turns mails into parts of exports, in worker threads. */
@Injectable()
export class ExportThreads {
  constructor(private readonly workers: WorkerPool) {}

  /** Runs `zipMails` in a worker thread. */
  zip(mails: readonly Buffer[], entries: readonly ZipEntryStart[]): Promise<ZipPart> {
    return this.run<ZipEntryStart, ZipPart>(ZIP_PART, zipMails, mails, entries);
  }

  /** Runs `mboxMails` in a worker thread. */
  mbox(mails: readonly Buffer[], sources: readonly MboxSource[]): Promise<MboxPart> {
    return this.run<MboxSource, MboxPart>(MBOX_PART, mboxMails, mails, sources);
  }

  private async run<T, P extends { readonly pieces: readonly Buffer[] }>(
    task: WorkerTask,
    here: (mails: readonly Buffer[], sources: readonly T[]) => P,
    mails: readonly Buffer[],
    sources: readonly T[],
  ): Promise<P> {
    const lengths = mails.map(({ length }) => length);
    if (lengths.reduce((sum, length) => sum + length, 0) < WORTH_A_WORKER) return here(mails, sources);
    const bytes = joinBuffers(mails);
    const input: MailsToExport<T> = { bytes, lengths, sources };
    try {
      const part = await this.workers.run<MailsToExport<T>, JoinedPart<P>>(task, input, {
        transfer: [bytes],
      });
      return { ...part, pieces: [Buffer.from(part.bytes)] } as unknown as P;
    } catch (error) {
      // The process is ending: this thread may still finish work that has begun.
      if (!(error instanceof WorkerPoolStopped)) throw error;
      return here(mails, sources);
    }
  }
}
