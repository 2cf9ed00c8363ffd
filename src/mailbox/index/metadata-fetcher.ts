import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions';
import {
  MailboxProviders,
  MessageMetadata,
  MetadataOptions,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { HistoryFollower } from './history-follower';
import { HistoryReplay, PROMPT } from './history-replay';
import { IndexStatesRepository } from './index-states.repository';
import { MessageIndexRepository } from './message-index.repository';
import { retryWhileUnavailable } from './retry-while-unavailable';
import { FetchDeduplicator } from './fetch-deduplicator';
import { YieldingFetch } from './yielding-fetch';

/** Messages that a reader announces at once. Other readers of the same messages wait for them. */
const ANNOUNCED = 500;
/** Messages looked up at once in the background, where they are announced when they are requested. */
const LOOKED_UP = 250;

/** Options of callers. The fetcher sets `stillWanted` itself. */
export type FetchOptions = Omit<MetadataOptions, 'stillWanted'>;

/** Fetches metadata and stores it. */
@Injectable()
export class MetadataFetcher {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly messages: MessageIndexRepository,
    private readonly states: IndexStatesRepository,
    private readonly follower: HistoryFollower,
    private readonly replay: HistoryReplay,
    private readonly transactions: Transactions,
    private readonly deduplicator: FetchDeduplicator,
  ) {}

  /**
   * Fetches messages that are not indexed. If several callers need the same one at the same time, one of them fetches
   * it.
   */
  async *fetchMissing(
    account: ProviderAccount,
    ids: readonly string[],
    options: FetchOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    if (options.priority === 'interactive') {
      for (const part of chunks(ids, ANNOUNCED)) yield* this.fetchAnnounced(account, part, options);
    } else {
      for (const part of chunks(ids, LOOKED_UP)) yield* this.fetchUnannounced(account, part, options);
    }
  }

  /** Fetches messages even if they are indexed. */
  async *fetch(
    account: ProviderAccount,
    ids: readonly string[],
    options: MetadataOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    if (ids.length === 0) return;
    const { cursor } = await this.follower.begin(account, PROMPT);
    const provider = this.providers.forAccount(account);
    for await (const batch of provider.fetchMetadata(ids, options)) {
      await retryWhileUnavailable(provider, options, () => this.store(account, batch, cursor));
      yield batch;
    }
  }

  private async *fetchAnnounced(
    account: ProviderAccount,
    ids: readonly string[],
    options: FetchOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    const claim = this.deduplicator.claim(account.id, ids, options.priority);
    try {
      // Another caller may have stored them just before its fetch ended.
      const kept = await this.messages.find(account.id, claim.own);
      if (kept.length > 0) yield kept;
      yield* this.fetch(account, removeFound(claim.own, kept), options);
    } finally {
      claim.release();
    }
    if (claim.others.length === 0) return;
    await claim.waitForOthers();
    const rows = await this.messages.find(account.id, claim.others);
    yield rows;
    // The mailbox does not have these messages, the other caller's fetch failed, or it takes too long.
    yield* this.fetch(account, removeFound(claim.others, rows), options);
  }

  /**
   * Fetches messages that are announced only when they are requested: the wait for quota may be long, and a reader who
   * wants the same message must neither wait for it nor fetch it twice. Messages that another caller is fetching are
   * left to it.
   */
  private async *fetchUnannounced(
    account: ProviderAccount,
    ids: readonly string[],
    options: FetchOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    let left = ids;
    while (left.length > 0) {
      const before = left.length;
      const fetch = new YieldingFetch(account.id, this.deduplicator, (some) =>
        this.messages.findMissing(account.id, some),
      );
      const stillWanted = (some: readonly string[]): Promise<readonly string[]> => fetch.announce(some);
      try {
        for await (const batch of this.fetch(account, left, { ...options, stillWanted })) {
          fetch.release(batch.map(({ id }) => id));
          yield batch;
        }
      } finally {
        fetch.close();
      }
      left = fetch.findUnrequested(left);
      if (left.length === 0) return;
      await this.deduplicator.waitFor(account.id, left);
      const rows = await this.messages.find(account.id, left);
      if (rows.length > 0) yield rows;
      left = removeFound(left, rows);
      // No other caller has obtained them, so they are fetched without announcement.
      if (left.length === before) {
        yield* this.fetch(account, left, options);
        return;
      }
    }
  }

  /**
   * Stores messages that were fetched after `since` was the stored cursor. If the cursor has moved meanwhile, changes
   * made after the fetch may have been applied before the rows existed, so the history is read again from `since`. When
   * that is not possible, the messages are not stored: the caller gets them, and the next one fetches them again.
   */
  private async store(
    account: ProviderAccount,
    fetched: readonly MessageMetadata[],
    since: string,
  ): Promise<void> {
    const stored = await this.transactions.run(async (transaction) => {
      if ((await this.states.lock(account.id, transaction))?.cursor !== since) return false;
      await this.messages.store(account.id, fetched, transaction);
      return true;
    });
    if (!stored) await this.replay.replayOver(account, { cursor: since }, { fetched });
  }
}

export function* chunks(ids: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}

function removeFound(ids: readonly string[], found: readonly { readonly id: string }[]): string[] {
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
