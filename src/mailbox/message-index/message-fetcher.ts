import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/transactions';
import {
  CallOptions,
  MailboxProviders,
  MessageMetadata,
  ProviderAccount,
} from '../providers/mailbox-provider.port';
import { HistoryFollower } from './history-follower';
import { HistoryReplay, PROMPT } from './history-replay';
import { MessageIndexRepository } from './message-index.repository';
import { Patience } from './patience';
import { SharedFetches } from './shared-fetches';

/** Messages announced at a time: of background fetches few, because readers wait for what was announced. */
const ANNOUNCED = { interactive: 500, background: 250 } as const;

/** Fetches metadata and keeps it. */
@Injectable()
export class MessageFetcher {
  constructor(
    private readonly providers: MailboxProviders,
    private readonly messages: MessageIndexRepository,
    private readonly follower: HistoryFollower,
    private readonly replay: HistoryReplay,
    private readonly transactions: Transactions,
    private readonly patience: Patience,
    private readonly fetches: SharedFetches,
  ) {}

  /** Messages the index lacks. What several callers lack at the same moment is fetched by one of them. */
  async *missing(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    for (const part of chunks(ids, ANNOUNCED[options.priority])) {
      yield* this.shared(account, part, options);
    }
  }

  /** Messages whatever the index holds. */
  async *fetch(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    if (ids.length === 0) return;
    const { cursor } = await this.follower.begin(account, PROMPT);
    for await (const batch of this.providers.forAccount(account).metadata(ids, options)) {
      await this.patience.over(account, options, () => this.keep(account, batch, cursor));
      yield batch;
    }
  }

  private async *shared(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    const claim = this.fetches.claim(account.id, ids, options.priority);
    try {
      yield* this.fetch(account, claim.own, options);
    } finally {
      claim.release();
    }
    if (claim.others.length === 0) return;
    await claim.settled();
    const rows = await this.messages.find(account.id, claim.others);
    yield rows;
    const found = new Set(rows.map(({ id }) => id));
    // Unknown to the mailbox, the other caller's fetch failed, or it takes too long.
    yield* this.fetch(
      account,
      claim.others.filter((id) => !found.has(id)),
      options,
    );
  }

  /**
   * Stores messages fetched after `since` was the stored cursor. If the cursor has moved on meanwhile, changes made
   * after the fetch may have been applied before the rows were there: history is read again from `since`. When it
   * cannot be, they are not kept: correct now, and fetched again when somebody asks.
   */
  private async keep(
    account: ProviderAccount,
    fetched: readonly MessageMetadata[],
    since: string,
  ): Promise<void> {
    const stored = await this.transactions.run(async (transaction) => {
      if ((await this.messages.lock(account.id, transaction))?.cursor !== since) return false;
      await this.messages.store(account.id, fetched, transaction);
      return true;
    });
    if (!stored) await this.replay.onTopOf(account, { cursor: since }, { fetched });
  }
}

export function* chunks(ids: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}
