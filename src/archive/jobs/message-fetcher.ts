import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { WorkerPool, WorkerPoolStopped } from '../../common/workers/worker-pool';
import { AppConfig } from '../../config/app-config';
import type { MailboxProvider, RawMessage } from '../../mailbox/providers/mailbox-provider.port';
import {
  MessageNotFound,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from '../../mailbox/providers/provider-errors';
import type { ArchiveParse, ParseTask } from './parse-message.task';
import { SharedBudget } from '../shared-budget';
import type { MailToArchive } from '../writing/mail-to-archive';
import type { HeldMessages } from './message-memory';
import { WorkClock } from './work-clock';

/** What became of one message id. `later` is worth another try once the others are done. */
export type FetchOutcome =
  | { readonly kind: 'mail'; readonly mail: MailToArchive }
  | { readonly kind: 'failed'; readonly messageId: string; readonly reason: string }
  | { readonly kind: 'later'; readonly messageId: string; readonly error: ProviderUnavailable };

const PARSER = { module: require.resolve('./parse-message.task'), name: 'parseForArchive' };
export interface FetchOptions {
  readonly signal: AbortSignal;
  /** As far as known, see `MailboxProvider.raw`. */
  readonly expectedBytes?: number;
  /** Where the message has been reserved room for. */
  readonly held: HeldMessages;
}

/** The parser is linear; a message it works on this long has found a fault in it. */
const PARSE_TIMEOUT_MS = 60_000;
/** So many messages in a row that the parser fails on are no odd messages: the parser itself is broken. */
const PARSER_BROKEN = 20;
/** The gateway has already waited its share when it reports a limit; this often the job waits on. */
const MAX_RATE_LIMIT_WAITS = 20;

/** Brings one message from the provider and through the parser. */
@Injectable()
export class MessageFetcher {
  private readonly logger = new Logger(MessageFetcher.name);

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
   * Errors that concern the whole account (reconnection needed, disconnected, missing permission) are thrown; those
   * of one message are outcomes.
   */
  async fetch(provider: MailboxProvider, messageId: string, options: FetchOptions): Promise<FetchOutcome> {
    let message: RawMessage;
    try {
      message = await this.download(provider, messageId, options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      if (error instanceof MessageNotFound) return { kind: 'failed', messageId, reason: error.code };
      if (error instanceof ProviderUnavailable) return { kind: 'later', messageId, error };
      if (error instanceof ProviderRejected && error.status === 400) {
        return { kind: 'failed', messageId, reason: error.code };
      }
      throw error;
    }
    const { threadId, internalDate: date, labelIds, snippet, bytes: raw } = message;
    options.held.fetched(messageId, raw.length);
    const parsed = await this.parse(raw, options.signal);
    options.held.parsed(messageId, raw.length);
    return { kind: 'mail', mail: { messageId, threadId, date, labelIds, snippet, raw, parsed } };
  }

  private async download(
    provider: MailboxProvider,
    messageId: string,
    { signal, expectedBytes }: FetchOptions,
  ): Promise<RawMessage> {
    for (let waits = 0; ; waits++) {
      try {
        return await provider.raw(messageId, { priority: 'background', signal, expectedBytes });
      } catch (error) {
        if (!(error instanceof ProviderRateLimited) || waits >= MAX_RATE_LIMIT_WAITS) throw error;
        await sleep(Math.max(1_000, error.retryAt.getTime() - Date.now()), undefined, { signal });
      }
    }
  }

  /**
   * Never loses a message: what the parser cannot do is said in its defects. A thread that died may have been killed
   * by another task of its own, so there is a second try.
   * @throws what ends the job, which is not to be taken for a fault of the parser
   */
  private async parse(raw: Buffer, signal: AbortSignal): Promise<ArchiveParse> {
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
