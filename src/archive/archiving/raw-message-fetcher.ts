import { Injectable } from '@nestjs/common';
import type { MailboxProvider } from '../../mail-provider/mailbox-provider.port';
import { fetchRaw, type UnfetchedMessage } from '../../mail-provider/fetch-raw';
import type { MailToArchive } from '../writing/mail-to-archive';
import type { HeldMessages } from './message-budget';
import { MessageParser } from './message-parser';

/** What became of one message id. `later` is worth another try once the others are done. */
export type FetchOutcome = { readonly kind: 'mail'; readonly mail: MailToArchive } | UnfetchedMessage;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** As far as known, see `MailboxProvider.raw`. */
  readonly expectedBytes?: number;
  /** Where the message has been reserved room for. */
  readonly held: HeldMessages;
}

/** Brings one message from the provider and through the parser. */
@Injectable()
export class RawMessageFetcher {
  constructor(private readonly parser: MessageParser) {}

  /**
   * Errors that concern the whole account (reconnection needed, disconnected, missing permission) are thrown; those
   * of one message are outcomes.
   */
  async fetch(provider: MailboxProvider, messageId: string, options: FetchOptions): Promise<FetchOutcome> {
    const fetched = await fetchRaw(provider, messageId, options);
    if (fetched.kind !== 'message') return fetched;
    const { threadId, internalDate: date, labelIds, snippet, bytes: raw } = fetched.message;
    options.held.fetched(messageId, raw.length);
    const parsed = await this.parser.parse(raw, options.signal);
    options.held.parsed(messageId, raw.length);
    return { kind: 'mail', mail: { messageId, threadId, date, labelIds, snippet, raw, parsed } };
  }
}
