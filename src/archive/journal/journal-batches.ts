import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../platform/concurrency/semaphore';
import { setTimeout } from '../../platform/concurrency/timers';
import { withLogContext } from '../../platform/logging/log-context';
import { type ImportBatchResult, ImportQuotaExceeded, ImportWriter } from '../imports/import-writer';
import type { ArchiveOwner } from '../mails/writing/mail-to-archive';
import type { CopiedMessage } from './copied-message';
import { JournalFigures } from './journal-figures';
import { isGeneral } from './refusal';

const MIB = 1024 * 1024;
/** Limits of a batch, as those of imports. */
const MAX_MESSAGES = 200;
const MAX_BYTES = 8 * MIB;
/** Accounts whose batches are written at a time: each takes a connection of the database now and then. */
const CONCURRENT_ACCOUNTS = 4;

/** Longest time for which messages gather between two batches: that of the last one, and not more than this. */
const MAX_GATHERING_MS = 100;

const ignore = (): void => undefined;

interface Waiting {
  readonly message: CopiedMessage;
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface AccountQueue {
  readonly owner: ArchiveOwner;
  waiting: Waiting[];
  /** Called when a message has come. */
  onArrival: () => void;
}

/**
 * Archives copied messages in batches: while one is written, those that arrive for the account gather for the next. A sync of
 * the disk and a commit so serve many connections.
 */
@Injectable()
export class JournalBatches {
  private readonly queues = new Map<string, AccountQueue>();
  private readonly slots = new Semaphore(CONCURRENT_ACCOUNTS);

  constructor(
    private readonly writer: ImportWriter,
    private readonly figures: JournalFigures,
  ) {}

  /**
   * Archives a message. When it resolves, the file is synced and its row committed, or both were there before.
   * @param signal ends its waiting for a store
   * @throws what `ImportWriter.importBatch` throws
   */
  add(owner: ArchiveOwner, message: CopiedMessage, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { message, signal, resolve, reject };
      const queue = this.queues.get(owner.accountId);
      if (queue) {
        queue.waiting.push(waiting);
        queue.onArrival();
        return;
      }
      const created: AccountQueue = { owner, waiting: [waiting], onArrival: ignore };
      this.queues.set(owner.accountId, created);
      void withLogContext({ ...owner }, () => this.work(created));
    });
  }

  private async work(queue: AccountQueue): Promise<void> {
    // Messages that arrive in the same turn of the event loop share the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.waiting.length > 0) {
      const startedAt = performance.now();
      const answered = await this.slots.run(() => this.archive(queue.owner, takeBatch(queue)));
      const batchMs = performance.now() - startedAt;
      const isLast = answered === 1 && queue.waiting.length === 0;
      if (!isLast) await gather(queue, answered, Math.min(MAX_GATHERING_MS, batchMs));
    }
    this.queues.delete(queue.owner.accountId);
  }

  /** Archives a batch and tells its senders. @returns the number of its messages */
  private async archive(owner: ArchiveOwner, batch: readonly Waiting[]): Promise<number> {
    try {
      await this.figures.recordReceived(owner, await this.write(owner, batch));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1 || isGeneral(error)) for (const { reject } of batch) reject(error);
      // One of them may be at fault, or the quota has room for some: none of the others waits for that.
      else await this.archiveEach(owner, batch, error);
    }
    return batch.length;
  }

  private async archiveEach(owner: ArchiveOwner, batch: readonly Waiting[], cause: unknown): Promise<void> {
    let uncounted = cause instanceof ImportQuotaExceeded ? cause.batch : null;
    for (const waiting of batch) {
      try {
        const result = await this.write(owner, [waiting]);
        // The messages that had room in the quota are duplicates now; the failed batch counted them already.
        const counts = cause instanceof ImportQuotaExceeded ? uncounted : result;
        if (counts) await this.figures.recordReceived(owner, counts);
        uncounted = null;
        waiting.resolve();
      } catch (error) {
        waiting.reject(error);
      }
    }
  }

  private write(owner: ArchiveOwner, batch: readonly Waiting[]): Promise<ImportBatchResult> {
    const messages = batch.map(({ message }) => message.imported);
    return this.writer.importBatch(owner, messages, { userId: owner.userId, signal: batch[0]!.signal });
  }
}

/**
 * Waits until each sender that was just answered has sent its next message, nothing has come for half of the time, or the time
 * is over. Without it these senders and those that were waiting take turns, in batches of half the size, which cost nearly as much
 * as whole ones.
 */
function gather(queue: AccountQueue, answered: number, ms: number): Promise<void> {
  const wanted = Math.min(MAX_MESSAGES, queue.waiting.length + answered);
  const until = performance.now() + ms;
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      queue.onArrival = ignore;
      resolve();
    };
    let timer = setTimeout(end, ms / 2);
    queue.onArrival = () => {
      if (queue.waiting.length >= wanted) return end();
      clearTimeout(timer);
      timer = setTimeout(end, Math.min(ms / 2, until - performance.now()));
    };
  });
}

/** Takes the next messages of a queue, none of which may be the same as another. */
function takeBatch(queue: AccountQueue): Waiting[] {
  const batch: Waiting[] = [];
  const later: Waiting[] = [];
  const identities = new Set<string>();
  let bytes = 0;
  for (const waiting of queue.waiting) {
    const { imported, identity } = waiting.message;
    const isFull =
      batch.length >= MAX_MESSAGES || (batch.length > 0 && bytes + imported.raw.length > MAX_BYTES);
    if (isFull || identities.has(identity)) later.push(waiting);
    else {
      batch.push(waiting);
      identities.add(identity);
      bytes += imported.raw.length;
    }
  }
  queue.waiting = later;
  return batch;
}
