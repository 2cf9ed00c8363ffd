import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { WorkerPool, WorkerPoolStopped } from '../../common/workers/worker-pool';
import { AppConfig } from '../../config/app-config';
import { SharedBudget } from '../shared-budget';
import type { ArchiveParse, ParseTask } from './parse-message.task';
import { WorkClock } from './work-clock';

const PARSER = { module: require.resolve('./parse-message.task'), name: 'parseForArchive' };
/** The parser is linear; a message it works on this long has found a fault in it. */
const PARSE_TIMEOUT_MS = 60_000;
/** So many messages in a row that the parser fails on are no odd messages: the parser itself is broken. */
const PARSER_BROKEN = 20;

/** Brings messages through the parser, on worker threads: as many at a time as keep all threads busy. */
@Injectable()
export class MessageParser {
  private readonly logger = new Logger(MessageParser.name);

  private unparsedInARow = 0;

  /** One task waits behind the one at work, so that no thread idles between two; more would only hold copies. */
  private readonly threads: SharedBudget;

  constructor(
    private readonly workers: WorkerPool,
    config: AppConfig,
  ) {
    this.threads = new SharedBudget(2 * config.workers.threads);
  }

  /**
   * Never loses a message: what the parser cannot do is said in its defects. A thread that died may have been killed
   * by another task of its own, so there is a second try.
   * @throws what ends the job, which is not to be taken for a fault of the parser
   */
  async parse(raw: Buffer, signal: AbortSignal): Promise<ArchiveParse> {
    const thread = await this.threads.reserve(1, signal);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const parsed = await this.parseInWorker(raw, signal);
          this.unparsedInARow = 0;
          return parsed;
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof WorkerPoolStopped) throw error;
          if (attempt === 1) continue;
          this.logger.error(error);
          this.unparsedInARow += 1;
          if (this.unparsedInARow >= PARSER_BROKEN) throw error;
          return unparsed(raw);
        }
      }
    } finally {
      thread.release();
    }
  }

  private async parseInWorker(raw: Buffer, signal: AbortSignal): Promise<ArchiveParse> {
    // A copy of its own: handing over a view would hand over everything else in the same allocation.
    const copy = new Uint8Array(raw).buffer;
    const startedAt = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
    const clock = new WorkClock(startedAt, PARSE_TIMEOUT_MS);
    const parsed = this.workers
      .run<ParseTask, ArchiveParse>(
        PARSER,
        { raw: copy, startedAt },
        { transfer: [copy], signal: clock.signal },
      )
      .finally(() => clock.dispose());
    let leave = (): void => undefined;
    // The task goes on to its end or to that of the clock: aborting it could cost others a thread.
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([parsed, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
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
