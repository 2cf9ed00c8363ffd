import { Injectable, Logger } from '@nestjs/common';
import {
  CallOptions,
  MailboxProviders,
  MessageMetadata,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import {
  ProviderRateLimited,
  ProviderRejected,
  ProviderUnavailable,
} from '../../providers/port/mail-provider.errors';
import { MessageIndexRepository } from './message-index.repository';
import { FetchDeduplicator } from './fetch-deduplicator';

/**
 * Most messages to fetch while history is followed and other callers wait. After a long absence the newest mail is
 * listed instead.
 */
const MAX_ARRIVALS = 200;
/** Time to wait for another caller's fetch of the same message, which may be waiting for this one, in milliseconds. */
const OTHERS_MS = 2_000;

export interface Arrivals {
  readonly fetched: readonly MessageMetadata[];
  /** Whether messages are missing, so that coverage is lost. */
  readonly lost: boolean;
}

/** Fetches the messages that became visible according to the history. */
@Injectable()
export class ArrivalsFetcher {
  private readonly logger = new Logger(ArrivalsFetcher.name);

  constructor(
    private readonly providers: MailboxProviders,
    private readonly messages: MessageIndexRepository,
    private readonly deduplicator: FetchDeduplicator,
  ) {}

  /** @param arrived null when there were too many to name */
  async fetch(
    account: ProviderAccount,
    arrived: readonly string[] | null,
    options: CallOptions,
  ): Promise<Arrivals> {
    const ids = arrived && (await this.messages.findMissing(account.id, arrived));
    if (!ids || ids.length > MAX_ARRIVALS) return { fetched: [], lost: true };
    const claim = this.deduplicator.claim(account.id, ids, 'interactive');
    try {
      let wanted = claim.own;
      if (claim.others.length > 0) {
        await claim.waitForOthers(OTHERS_MS);
        wanted = await this.messages.findMissing(account.id, ids);
      }
      return await this.fetchAll(account, wanted, options);
    } finally {
      claim.release();
    }
  }

  private async fetchAll(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<Arrivals> {
    const fetched: MessageMetadata[] = [];
    if (ids.length === 0) return { fetched, lost: false };
    try {
      const readable = { ...options, onUnreadable: this.leaveOut };
      for await (const batch of this.providers.forAccount(account).fetchMetadata(ids, readable)) {
        fetched.push(...batch);
      }
      return { fetched, lost: false };
    } catch (error) {
      // Messages that cannot be fetched now must not keep the changes of the others from being followed.
      const passes =
        error instanceof ProviderRateLimited ||
        error instanceof ProviderUnavailable ||
        error instanceof ProviderRejected;
      if (!passes) throw error;
      return { fetched, lost: true };
    }
  }

  /** Leaves an unreadable message out. Otherwise every later sync would request it again in vain. */
  private readonly leaveOut = (id: string, error: ProviderRejected): void => {
    this.logger.warn(`Message ${id} cannot be read and is left out: ${error.reason}`);
  };
}
