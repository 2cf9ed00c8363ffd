import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../../platform/concurrency/fair-semaphore';
import { setTimeout } from '../../../platform/concurrency/timers';
import { type DocumentOutcome, DocumentProcess } from '../../../platform/documents/process/document-process';

/** Time without a document after which the process for them ends. */
const IDLE_MS = 30_000;

/** Reads documents one at a time: a process of the service has one process for them, and one document in memory. */
@Injectable()
export class DocumentReader implements BeforeApplicationShutdown {
  private readonly process = new DocumentProcess();
  private readonly turns = new FairSemaphore({ capacity: 1, perKey: 1 });
  private idle: NodeJS.Timeout | undefined;

  /** Runs work that reads a document; users take turns. @throws the signal's reason while it waits */
  async takeTurn<T>(userId: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const turn = await this.turns.reserve(userId, 1, signal);
    clearTimeout(this.idle);
    try {
      return await work();
    } finally {
      this.endLater();
      turn.release();
    }
  }

  /**
   * Reads a document within a turn.
   * @param wantsPictures whether the contents of files with pictures within the document are wanted
   * @throws the signal's reason
   */
  read(
    document: { readonly filename: string; readonly mimeType: string },
    bytes: Buffer,
    signal: AbortSignal,
    wantsPictures = false,
  ): Promise<DocumentOutcome> {
    const { filename: name, mimeType } = document;
    return this.process.read({ name, mimeType: mimeType.toLowerCase(), wantsPictures }, bytes, signal);
  }

  private endLater(): void {
    this.idle = setTimeout(() => {
      void this.turns.run('', () => this.process.close());
    }, IDLE_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.idle);
    await this.process.close();
  }
}
