import { Injectable } from '@nestjs/common';
import type { ArchivedMailEntity } from '../archive/archived-mail.entity';
import { MailContentReader, type ReadMailOptions } from '../archive/mail-content-reader';
import type { MailKeys } from '../encryption/mail-keys';
import { TaskTimeout } from '../common/workers/task-timeout';
import { ArchivedMailsRepository } from '../archive/archived-mails.repository';
import type { MailReader } from '../archive/archived-mails.service';
import { FairLimits, FairSemaphore } from '../common/concurrency/fair-semaphore';
import type { Share } from '../common/concurrency/semaphore';
import { ResourceNotFound } from '../common/http/domain-error';
import { WorkerPool, WorkerPoolStopped } from '../common/workers/worker-pool';
import { AppConfig } from '../config/app-config';
import type { SafeMail } from './rendering/render-mail';
import { MailNotRendered } from './safe-html.errors';
import type { SafeHtmlTask } from './safe-html.task';

const RENDERER = { module: require.resolve('./safe-html.task'), name: 'renderSafeHtml' };
const MIB = 1024 * 1024;
/** Of a larger message only this much is read. */
const MAX_READ = 64 * MIB;
/** Larger messages wait for one another: each is in memory as a file, as text and as a document. */
const LARGE = MIB;
const COPIES = 3;
/** Half of it is left to the others, whoever reads. */
const LARGE_MEMORY = { capacity: 96 * MIB, perKey: 48 * MIB };
/** The renderer is linear; the largest message takes it a few seconds on a slow machine. */
const RENDER_TIMEOUT_MS = 20_000;

/** A thread is left to everybody else's work, whatever a user has rendered: its sender decides how long that takes. */
const renderingLimits = (threads: number): FairLimits => ({
  capacity: threads,
  perKey: Math.max(1, threads - 1),
});

/** Archived mails as HTML that is safe to show. */
@Injectable()
export class SafeHtmlService {
  private readonly memory = new FairSemaphore(LARGE_MEMORY);
  private readonly renderings: FairSemaphore;

  constructor(
    private readonly mails: ArchivedMailsRepository,
    private readonly bytes: MailContentReader,
    private readonly workers: WorkerPool,
    config: AppConfig,
  ) {
    this.renderings = new FairSemaphore(renderingLimits(config.workers.threads));
  }

  /**
   * A mail as a document without scripts, remote content and trackers.
   * @param signal ends the waiting when the client is gone
   * @throws ResourceNotFound, MailsEncrypted, PassphraseInvalid, TooManyRequests, MailUndecryptable, ObjectMissing,
   *   MailNotRendered
   */
  async render(reader: MailReader, mailId: string, signal: AbortSignal): Promise<SafeMail> {
    const mail = await this.mails.findOwned(reader.accountId, mailId);
    if (!mail) throw new ResourceNotFound('mail');
    const keys = await this.bytes.unlock(reader.userId, mail, reader.passphrase, signal);
    const size = Math.min(mail.sizeBytes, MAX_READ);
    let share: Share | undefined;
    const room = async (): Promise<void> => {
      share = await this.memory.reserve(reader.userId, COPIES * size, signal);
    };
    try {
      const raw = await this.read(mail, keys, { signal, ...(size > LARGE && { room }) });
      signal.throwIfAborted();
      const rendered = await this.renderings.run(
        reader.userId,
        () => this.renderInWorker(raw, mail.subject),
        signal,
      );
      return { ...rendered, truncated: rendered.truncated || mail.sizeBytes > MAX_READ };
    } finally {
      share?.release();
    }
  }

  private async read(
    mail: ArchivedMailEntity,
    keys: MailKeys | null,
    options: ReadMailOptions,
  ): Promise<Buffer> {
    if (mail.sizeBytes <= MAX_READ) return this.bytes.read(mail, keys, options);
    const chunks: Buffer[] = [];
    const beginning = { start: 0, end: MAX_READ - 1 };
    for await (const chunk of await this.bytes.open(mail, keys, beginning, options)) {
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  }

  private async renderInWorker(bytes: Buffer, subject: string): Promise<SafeMail> {
    // A copy: to hand over a view would be to hand over everything else in the same allocation.
    const raw = Buffer.allocUnsafeSlow(bytes.length);
    bytes.copy(raw);
    const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const clock = new TaskTimeout(startedAt, RENDER_TIMEOUT_MS);
    try {
      return await this.workers.run<SafeHtmlTask, SafeMail>(
        RENDERER,
        { raw: raw.buffer, subject, startedAt },
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
