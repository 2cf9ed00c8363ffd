import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { MailboxProvider, RawMessage } from '../../mailbox/providers/mailbox-provider.port';
import {
  MessageNotFound,
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from '../../mailbox/providers/provider-errors';
import type { MailToArchive } from '../writing/mail-to-archive';
import type { HeldMessages } from './message-memory';
import { MessageParser } from './message-parser';

/** What became of one message id. `later` is worth another try once the others are done. */
export type FetchOutcome =
  | { readonly kind: 'mail'; readonly mail: MailToArchive }
  | { readonly kind: 'failed'; readonly messageId: string; readonly reason: string }
  | { readonly kind: 'later'; readonly messageId: string; readonly error: ProviderUnavailable };

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** As far as known, see `MailboxProvider.raw`. */
  readonly expectedBytes?: number;
  /** Where the message has been reserved room for. */
  readonly held: HeldMessages;
}

/** The gateway has already waited its share when it reports a limit; this often the job waits on. */
const MAX_RATE_LIMIT_WAITS = 20;

/** Brings one message from the provider and through the parser. */
@Injectable()
export class MessageFetcher {
  constructor(private readonly parser: MessageParser) {}

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
    const parsed = await this.parser.parse(raw, options.signal);
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
}
