import { Injectable } from '@nestjs/common';
import type { CallPriority, MailboxProvider } from '../../../providers/port/mailbox-provider.port';
import { fetchRaw, type UnfetchedMessage } from '../../../providers/port/fetch-raw';
import type { MailToArchive } from '../writing/mail-to-archive';
import type { MemoryReservation } from './message-budget';
import { MessageParser } from './message-parser';

/** The outcome for one message id. `later` is worth another attempt after the others. */
export type FetchOutcome = { readonly kind: 'mail'; readonly mail: MailToArchive } | UnfetchedMessage;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Size of the message, if known; see `MailboxProvider.raw`. */
  readonly expectedBytes?: number;
  /** Default: `background`. */
  readonly priority?: CallPriority;
  /** Budget in which room for the message is reserved; for a mail it stays reserved until the caller has written it. */
  readonly held: MemoryReservation;
}

/** Bytes that an outcome holds in memory. */
export const sizeOfOutcome = (outcome: FetchOutcome): number =>
  outcome.kind === 'mail' ? outcome.mail.raw.length : 0;

/** Fetches one message from the provider and parses it. */
@Injectable()
export class RawMessageFetcher {
  constructor(private readonly parser: MessageParser) {}

  /**
   * Waits for room first. Errors that concern the whole account (reconnection needed, disconnected, missing permission) are
   * thrown; those of one message are outcomes.
   */
  async fetch(provider: MailboxProvider, messageId: string, options: FetchOptions): Promise<FetchOutcome> {
    await options.held.reserve(messageId, options.expectedBytes);
    let outcome: FetchOutcome | null = null;
    try {
      outcome = await this.read(provider, messageId, options);
      return outcome;
    } finally {
      // After an error too: other messages wait for the room, and the caller that gets the error waits for them.
      if (outcome?.kind !== 'mail') options.held.release(messageId);
    }
  }

  private async read(
    provider: MailboxProvider,
    messageId: string,
    options: FetchOptions,
  ): Promise<FetchOutcome> {
    const fetched = await fetchRaw(provider, messageId, options);
    if (fetched.kind !== 'message') return fetched;
    const {
      threadId,
      internalDate: date,
      labelIds,
      keywords,
      snippet,
      bytes: raw,
      notes = [],
    } = fetched.message;
    options.held.recordFetched(messageId, raw.length);
    const read = await this.parser.parse(raw, options.signal);
    const parsed = notes.length === 0 ? read : { ...read, defects: [...read.defects, ...notes] };
    options.held.recordParsed(messageId, raw.length);
    return { kind: 'mail', mail: { messageId, threadId, date, labelIds, keywords, snippet, raw, parsed } };
  }
}
