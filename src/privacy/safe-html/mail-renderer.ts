import { Injectable } from '@nestjs/common';
import { FairLimits, FairSemaphore } from '../../platform/concurrency/fair-semaphore';
import type { Share } from '../../platform/concurrency/semaphore';
import { TaskTimeout } from '../../platform/workers/task-timeout';
import { WorkerPool, WorkerPoolStopped } from '../../platform/workers/worker-pool';
import { AppConfig } from '../../platform/config/app-config';
import type { DocumentLanguage } from './rendering/document-texts';
import type { SafeMail } from './rendering/render-mail';
import { MailNotRendered } from './safe-html.errors';
import type { SafeHtmlTask } from './safe-html.task';

const RENDERER = { module: require.resolve('./safe-html.task'), name: 'renderSafeHtml' };
const MIB = 1024 * 1024;
/** Most bytes read of a message. */
export const MAX_READ = 64 * MIB;
/** Size from which messages share limited memory: each is held as a file, as text and as a document. */
export const LARGE = MIB;
const COPIES = 3;
/** Memory for large messages, of which a user may have half. */
const LARGE_MEMORY = { capacity: 96 * MIB, perKey: 48 * MIB };

/** Time limit for rendering one message; tests inject another one. */
@Injectable()
export class RenderTimings {
  /** Limit in milliseconds. The renderer is linear; the largest message takes it a few seconds on a slow machine. */
  readonly timeoutMs: number = 20_000;
}

/** Limits by which a user never has all threads: the sender of a mail decides how long it takes to render. */
const renderingLimits = (threads: number): FairLimits => ({
  capacity: threads,
  perKey: Math.max(1, threads - 1),
});

export interface MailToRender {
  readonly raw: Buffer;
  readonly subject: string;
  /** Language of the texts around the message. */
  readonly language: DocumentLanguage;
  /** Remote images to show, by their addresses. */
  readonly fetched?: ReadonlyMap<string, Uint8Array>;
}

/** Renders messages in worker threads, and shares memory and threads fairly between users. */
@Injectable()
export class MailRenderer {
  private readonly memory = new FairSemaphore(LARGE_MEMORY);
  private readonly renderings: FairSemaphore;

  constructor(
    private readonly workers: WorkerPool,
    private readonly timings: RenderTimings,
    config: AppConfig,
  ) {
    this.renderings = new FairSemaphore(renderingLimits(config.workers.threads));
  }

  /** Waits for the memory that a large message takes until it is rendered; release it then. */
  reserveRoom(userId: string, sizeBytes: number, signal: AbortSignal): Promise<Share> {
    return this.memory.reserve(userId, COPIES * Math.min(sizeBytes, MAX_READ), signal);
  }

  /** @throws MailNotRendered, the signal's reason */
  async render(userId: string, mail: MailToRender, signal: AbortSignal): Promise<SafeMail> {
    signal.throwIfAborted();
    return this.renderings.run(userId, () => this.renderInWorker(mail), signal);
  }

  private async renderInWorker({ raw: bytes, subject, language, fetched }: MailToRender): Promise<SafeMail> {
    // The bytes are copied: transferring a view would transfer everything else in the same allocation.
    const raw = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(raw);
    const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const clock = new TaskTimeout(startedAt, this.timings.timeoutMs);
    try {
      return await this.workers.run<SafeHtmlTask, SafeMail>(
        RENDERER,
        { raw: raw.buffer, subject, language, startedAt, ...(fetched && { fetched }) },
        { transfer: [raw.buffer], signal: clock.signal },
      );
    } catch (error) {
      if (error instanceof WorkerPoolStopped) throw error;
      throw new MailNotRendered(error);
    } finally {
      clock.dispose();
    }
  }
}
