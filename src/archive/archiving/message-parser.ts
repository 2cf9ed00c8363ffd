import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { runJoined } from '../../common/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../common/workers/worker-pool';
import { AppConfig } from '../../config/app-config';
import type { ArchiveParse } from './parse-message.task';

const PARSER = { module: require.resolve('./parse-message.task'), name: 'parseManyForArchive' };
/** The parser is linear; a message it works on this long has found a fault in it. */
const PARSE_TIMEOUT_MS = 60_000;
/** A thread that died may have been killed by another message, or by another task of its own. */
const MAX_ATTEMPTS = 2;
/** So many messages in a row that the parser fails on are no odd messages: the parser itself is broken. */
const PARSER_BROKEN = 20;
/** Small messages share a task: the way to a thread and back costs as much as parsing one. */
const MAX_MESSAGES = 16;
const MAX_BYTES = 512 * 1024;

interface Waiting {
  readonly raw: Buffer;
  readonly resolve: (parsed: ArchiveParse) => void;
  readonly reject: (reason: Error) => void;
  /** Its caller waits no more. */
  hasLeft: boolean;
  /** Tasks that failed with this message alone in them. */
  failures: number;
  /** A task failed that had it with others: which of them it was, each alone will show. */
  alone: boolean;
}

/** Brings messages through the parser, on worker threads: as many at a time as keep all threads busy. */
@Injectable()
export class MessageParser {
  private readonly logger = new Logger(MessageParser.name);

  private unparsedInARow = 0;

  private queue: Waiting[] = [];
  private running = 0;
  private isDue = false;

  /** One task waits behind the one at work, so that no thread idles between two; more would only hold copies. */
  private readonly maxRunning: number;

  constructor(
    private readonly workers: WorkerPool,
    config: AppConfig,
  ) {
    this.maxRunning = 2 * config.workers.threads;
  }

  /**
   * Never loses a message: what the parser cannot do is said in its defects.
   * @throws what ends the job, which is not to be taken for a fault of the parser
   */
  parse(raw: Buffer, signal: AbortSignal): Promise<ArchiveParse> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // The task goes on to its end or to that of the clock: aborting it could cost others a thread.
      const leave = (): void => {
        waiting.hasLeft = true;
        reject(signal.reason as Error);
      };
      const settled = (): void => signal.removeEventListener('abort', leave);
      const waiting: Waiting = {
        raw,
        resolve: (parsed) => (settled(), resolve(parsed)),
        reject: (reason) => (settled(), reject(reason)),
        hasLeft: false,
        failures: 0,
        alone: false,
      };
      signal.addEventListener('abort', leave, { once: true });
      this.queue.push(waiting);
      this.begin();
    });
  }

  /** Not at once: messages that are handed over together are to be parsed together. */
  private begin(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      while (this.running < this.maxRunning) {
        const group = this.next();
        if (group.length === 0) return;
        void this.work(group);
      }
    });
  }

  /** The first of those that wait; together only as many as leave work for every thread. */
  private next(): Waiting[] {
    this.queue = this.queue.filter(({ hasLeft }) => !hasLeft);
    const share = Math.ceil(this.queue.length / (this.maxRunning - this.running));
    const most = Math.min(MAX_MESSAGES, share);
    let bytes = 0;
    let count = 0;
    for (const { raw, alone } of this.queue) {
      bytes += raw.length;
      if (count > 0 && (count === most || bytes > MAX_BYTES || alone)) break;
      count++;
      if (alone) break;
    }
    return this.queue.splice(0, count);
  }

  private async work(group: readonly Waiting[]): Promise<void> {
    this.running++;
    try {
      const parsed = await this.parseInWorker(group.map(({ raw }) => raw));
      this.unparsedInARow = 0;
      for (const [position, waiting] of group.entries()) waiting.resolve(parsed[position] as ArchiveParse);
    } catch (error) {
      if (error instanceof WorkerPoolStopped) for (const waiting of group) waiting.reject(error);
      else if (group.length > 1) this.again(group);
      else this.failed(group[0] as Waiting, error);
    } finally {
      this.running--;
      this.begin();
    }
  }

  private again(group: readonly Waiting[]): void {
    for (const waiting of group) waiting.alone = true;
    this.queue.unshift(...group);
  }

  private failed(waiting: Waiting, error: unknown): void {
    if (waiting.hasLeft) return;
    waiting.failures++;
    if (waiting.failures < MAX_ATTEMPTS) return this.again([waiting]);
    this.logger.error(error);
    this.unparsedInARow += 1;
    if (this.unparsedInARow >= PARSER_BROKEN) waiting.reject(error as Error);
    else waiting.resolve(unparsed(waiting.raw));
  }

  private parseInWorker(raws: readonly Buffer[]): Promise<ArchiveParse[]> {
    return runJoined(this.workers, PARSER, raws, PARSE_TIMEOUT_MS);
  }
}

function unparsed(raw: Buffer): ArchiveParse {
  return {
    messageId: null,
    inReplyTo: null,
    references: null,
    subject: '',
    sender: '',
    recipient: '',
    date: null,
    snippet: '',
    attachments: [],
    hasAttachments: false,
    sha256: createHash('sha256').update(raw).digest('hex'),
    sizeBytes: raw.length,
    defects: ['the message could not be parsed'],
    searchVector: '',
  };
}
