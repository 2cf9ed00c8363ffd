import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { runJoined } from '../../../platform/workers/joined-buffers';
import { WorkerPool, WorkerPoolStopped } from '../../../platform/workers/worker-pool';
import { AppConfig } from '../../../platform/config/app-config';
import { NO_WORDS } from '../search/search-vector';
import type { ArchiveParse } from './parse-message.task';

const PARSER = { module: require.resolve('./parse-message.task'), name: 'parseManyForArchive' };
/** The parser is linear: a message that takes this long has hit a fault in it. */
const PARSE_TIMEOUT_MS = 60_000;
/** A thread may have been killed by another message of the task. */
const MAX_ATTEMPTS = 2;
/** This many consecutive failures mean that the parser itself is broken. */
const PARSER_BROKEN = 20;
/** Small messages share a task: handing a message to a thread costs as much as parsing it. */
const MAX_MESSAGES = 16;
const MAX_BYTES = 512 * 1024;

interface Waiting {
  readonly raw: Buffer;
  readonly resolve: (parsed: ArchiveParse) => void;
  readonly reject: (reason: Error) => void;
  /** Whether the caller has stopped waiting. */
  hasLeft: boolean;
  /** Tasks that failed with this message alone in them. */
  failures: number;
  /** Whether the message is parsed without others: after a task with several messages failed, to find the faulty one. */
  alone: boolean;
}

/** Parses messages on worker threads, keeping all of them busy. */
@Injectable()
export class MessageParser {
  private readonly logger = new Logger(MessageParser.name);

  private unparsedInARow = 0;

  private queue: Waiting[] = [];
  private running = 0;
  private isDue = false;

  /** Two per thread, so that none idles between two tasks; more would only hold copies. */
  private readonly maxRunning: number;

  constructor(
    private readonly workers: WorkerPool,
    config: AppConfig,
  ) {
    this.maxRunning = 2 * config.workers.threads;
  }

  /**
   * Never loses a message: what the parser cannot do is listed in its defects.
   * @throws the reason of the signal, WorkerPoolStopped, or the error of a broken parser
   */
  parse(raw: Buffer, signal: AbortSignal): Promise<ArchiveParse> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // The task runs to its end or timeout: aborting it could cost others a thread.
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

  /** In a microtask, so that messages submitted together are parsed together. */
  private begin(): void {
    if (this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => {
      this.isDue = false;
      while (this.running < this.maxRunning) {
        const group = this.takeGroup();
        if (group.length === 0) return;
        void this.parseGroup(group);
      }
    });
  }

  /** The next messages to parse together: no more than leaves work for every thread. */
  private takeGroup(): Waiting[] {
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

  private async parseGroup(group: readonly Waiting[]): Promise<void> {
    this.running++;
    try {
      const parsed = await this.parseInWorker(group.map(({ raw }) => raw));
      this.unparsedInARow = 0;
      for (const [position, waiting] of group.entries()) waiting.resolve(parsed[position] as ArchiveParse);
    } catch (error) {
      if (error instanceof WorkerPoolStopped) for (const waiting of group) waiting.reject(error);
      else if (group.length > 1) this.requeueAlone(group);
      else this.recordFailure(group[0] as Waiting, error);
    } finally {
      this.running--;
      this.begin();
    }
  }

  private requeueAlone(group: readonly Waiting[]): void {
    for (const waiting of group) waiting.alone = true;
    this.queue.unshift(...group);
  }

  private recordFailure(waiting: Waiting, error: unknown): void {
    if (waiting.hasLeft) return;
    waiting.failures++;
    if (waiting.failures < MAX_ATTEMPTS) return this.requeueAlone([waiting]);
    this.logger.error(error);
    this.unparsedInARow += 1;
    if (this.unparsedInARow >= PARSER_BROKEN) waiting.reject(error as Error);
    else waiting.resolve(describeUnparsed(waiting.raw));
  }

  private parseInWorker(raws: readonly Buffer[]): Promise<ArchiveParse[]> {
    return runJoined(this.workers, PARSER, raws, PARSE_TIMEOUT_MS);
  }
}

const UNPARSED = 'the message could not be parsed';

/** Whether the parser has given a message up. */
export const isUnparsed = ({ defects }: Pick<ArchiveParse, 'defects'>): boolean => defects.includes(UNPARSED);

function describeUnparsed(raw: Buffer): ArchiveParse {
  const sha256 = createHash('sha256').update(raw).digest('hex');
  return {
    messageId: null,
    inReplyTo: null,
    references: null,
    subject: '',
    sender: '',
    recipient: '',
    date: null,
    receivedAt: null,
    snippet: '',
    attachments: [],
    hasAttachments: false,
    sha256,
    contentSha256: sha256,
    sizeBytes: raw.length,
    defects: [UNPARSED],
    words: NO_WORDS,
  };
}
