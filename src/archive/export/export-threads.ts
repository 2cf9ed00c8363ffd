import { Injectable } from '@nestjs/common';
import { joinBuffers } from '../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import type { JoinedPart, MailsToExport } from './export-part.task';
import { mboxMails, type MboxPart, type MboxSource } from './mbox-mails';

const MBOX_PART = { module: require.resolve('./export-part.task'), name: 'mboxPart' };
/** Number of bytes from which a worker thread is worth its cost: it may have to be started, and the first byte waits for it. */
const WORTH_A_WORKER = 256 * 1024;

/** Turns mails into parts of mbox exports, in worker threads. */
@Injectable()
export class ExportThreads {
  constructor(private readonly workers: WorkerPool) {}

  /** Runs `mboxMails` in a worker thread. */
  async mbox(mails: readonly Buffer[], sources: readonly MboxSource[]): Promise<MboxPart> {
    const lengths = mails.map(({ length }) => length);
    if (lengths.reduce((sum, length) => sum + length, 0) < WORTH_A_WORKER) return mboxMails(mails, sources);
    const bytes = joinBuffers(mails);
    try {
      const part = await this.workers.run<MailsToExport, JoinedPart>(
        MBOX_PART,
        { bytes, lengths, sources },
        { transfer: [bytes] },
      );
      return { pieces: [Buffer.from(part.bytes)], altered: part.altered };
    } catch (error) {
      // The process is ending: this thread may still finish work that has begun.
      if (!(error instanceof WorkerPoolStopped)) throw error;
      return mboxMails(mails, sources);
    }
  }
}
