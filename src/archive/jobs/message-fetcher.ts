import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { WorkerPool } from '../../common/workers/worker-pool';
import type { MailboxProvider, RawMessage } from '../../mailbox/providers/mailbox-provider.port';
import {
  MessageNotFound,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from '../../mailbox/providers/provider-errors';
import type { ArchiveParse, ParseTask } from '../mime/parse-message.task';
import type { MailToArchive } from '../writing/mail-to-archive';

/** What became of one message id. `later` is worth another try once the others are done. */
export type FetchOutcome =
  | { readonly kind: 'mail'; readonly mail: MailToArchive }
  | { readonly kind: 'failed'; readonly messageId: string; readonly reason: string }
  | { readonly kind: 'later'; readonly messageId: string; readonly error: ProviderUnavailable };

const PARSER = { module: require.resolve('../mime/parse-message.task'), name: 'parseForArchive' };
/** The parser is linear; a message that takes this long has found a fault in it. */
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

  constructor(private readonly workers: WorkerPool) {}

  /**
   * Errors that concern the whole account (reconnection needed, disconnected, missing permission) are thrown; those
   * of one message are outcomes.
   */
  async fetch(provider: MailboxProvider, messageId: string, signal: AbortSignal): Promise<FetchOutcome> {
    let message: RawMessage;
    try {
      message = await this.download(provider, messageId, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof MessageNotFound) return { kind: 'failed', messageId, reason: error.code };
      if (error instanceof ProviderUnavailable) return { kind: 'later', messageId, error };
      if (error instanceof ProviderRejected && error.status === 400) {
        return { kind: 'failed', messageId, reason: error.code };
      }
      throw error;
    }
    const { threadId, internalDate: date, labelIds, snippet, bytes: raw } = message;
    const parsed = await this.parse(raw);
    return { kind: 'mail', mail: { messageId, threadId, date, labelIds, snippet, raw, parsed } };
  }

  private async download(
    provider: MailboxProvider,
    messageId: string,
    signal: AbortSignal,
  ): Promise<RawMessage> {
    for (let waits = 0; ; waits++) {
      try {
        return await provider.raw(messageId, { priority: 'background', signal });
      } catch (error) {
        if (!(error instanceof ProviderRateLimited) || waits >= MAX_RATE_LIMIT_WAITS) throw error;
        await sleep(Math.max(1_000, error.retryAt.getTime() - Date.now()), undefined, { signal });
      }
    }
  }

  /**
   * Never loses a message: what the parser cannot do is said in its defects. A thread that died may have been killed
   * by another task of its own, so there is a second try.
   */
  private async parse(raw: Buffer): Promise<ArchiveParse> {
    for (let attempt = 1; ; attempt++) {
      try {
        const parsed = await this.parseInWorker(raw);
        this.unparsedInARow = 0;
        return parsed;
      } catch (error) {
        if (attempt === 1) continue;
        this.logger.error(error);
        this.unparsedInARow += 1;
        if (this.unparsedInARow >= PARSER_BROKEN) throw error;
        return unparsed(raw);
      }
    }
  }

  private async parseInWorker(raw: Buffer): Promise<ArchiveParse> {
    // A copy of its own: handing over a view would hand over everything else in the same allocation.
    const copy = new Uint8Array(raw).buffer;
    const abortion = new AbortController();
    const timer = setTimeout(() => abortion.abort(), PARSE_TIMEOUT_MS);
    try {
      return await this.workers.run<ParseTask, ArchiveParse>(
        PARSER,
        { raw: copy },
        { transfer: [copy], signal: abortion.signal },
      );
    } finally {
      clearTimeout(timer);
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
