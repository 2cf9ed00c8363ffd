import { Injectable } from '@nestjs/common';
import type { CallPriority, MailboxProvider } from '../../../providers/port/mailbox-provider.port';
import { fetchRaw, type UnfetchedMessage } from '../../../providers/port/fetch-raw';
import { chooseDates } from '../writing/archive-dates';
import type { MailToArchive } from '../writing/mail-to-archive';
import type { MemoryReservation } from './message-budget';
import { MessageParser } from './message-parser';

/** The outcome for one message id. `later` is worth another attempt after the others. */
export type FetchOutcome = { readonly kind: 'mail'; readonly mail: MailToArchive } | UnfetchedMessage;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Size of the message, if known; see `RawOptions.expectedBytes`. */
  readonly expectedBytes?: number;
  /** Default: `background`. */
  readonly priority?: CallPriority;
  /** Reserves memory for the message; that of a mail stays reserved until the caller has written it. */
  readonly reservation: MemoryReservation;
}

/** Bytes that an outcome holds in memory. */
export const sizeOfOutcome = (outcome: FetchOutcome): number =>
  outcome.kind === 'mail' ? outcome.mail.raw.length : 0;

/** Fetches one message from the provider and parses it. */
@Injectable()
export class RawMessageFetcher {
  constructor(private readonly parser: MessageParser) {}

  /**
   * Waits until memory for the message is free. Errors that concern the whole account (reconnection needed, disconnected,
   * missing permission) are thrown; those of one message are outcomes.
   */
  async fetch(provider: MailboxProvider, messageId: string, options: FetchOptions): Promise<FetchOutcome> {
    await options.reservation.reserve(messageId, options.expectedBytes);
    let outcome: FetchOutcome | null = null;
    try {
      outcome = await this.read(provider, messageId, options);
      return outcome;
    } finally {
      // After an error too: other messages wait for the memory, and the caller that gets the error waits for them.
      if (outcome?.kind !== 'mail') options.reservation.release(messageId);
    }
  }

  private async read(
    provider: MailboxProvider,
    messageId: string,
    options: FetchOptions,
  ): Promise<FetchOutcome> {
    const fetched = await fetchRaw(provider, messageId, options);
    if (fetched.kind !== 'message') return fetched;
    const { threadId, internalDate, labelIds, keywords, snippet, bytes: raw, notes = [] } = fetched.message;
    options.reservation.recordFetched(messageId, raw.length);
    const read = await this.parser.parse(raw, options.signal);
    const parsed = notes.length === 0 ? read : { ...read, defects: [...read.defects, ...notes] };
    options.reservation.recordParsed(messageId, raw.length);
    const dates = chooseDates(parsed.date, [internalDate, parsed.receivedAt], new Date());
    return {
      kind: 'mail',
      mail: { messageId, threadId, ...dates, labelIds, keywords, snippet, raw, parsed },
    };
  }
}
