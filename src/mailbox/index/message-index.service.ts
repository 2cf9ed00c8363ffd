import { Injectable, Optional } from '@nestjs/common';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { RedisLock } from '../../platform/redis/redis-lock';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import {
  CallOptions,
  HistoryOptions,
  MailboxChange,
  MailboxProviders,
  MessageMetadata,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { CursorInvalid } from '../../providers/port/mail-provider.errors';
import { HistoryFollower } from './history-follower';
import { HistoryListener } from './history-listener.port';
import { PROMPT } from './history-replay';
import { INDEX_LOCK, indexLockKey } from './index-locks';
import { IndexJobs } from './index-jobs';
import { chunks, MetadataFetcher } from './metadata-fetcher';
import { IndexState, IndexStatesRepository } from './index-states.repository';
import { MessageFigures, MessageIndexRepository } from './message-index.repository';
import { retryWhileUnavailable } from './retry-while-unavailable';

/** Changes made elsewhere may take this long to be seen by a reader; bursts of reads share one history call. */
export const READ_MAX_AGE_MS = 2_000;
/** Messages looked up, fetched and yielded at a time. */
const CHUNK = 500;
/** How often history is followed again because others moved the cursor meanwhile. */
const FOLLOW_ATTEMPTS = 3;

export interface SyncOptions extends CallOptions {
  /** A sync at most this old is good enough; 0 (the default) always asks the provider. */
  readonly maxAgeMs?: number;
}

export interface Followed {
  /** Where to go on from next time. */
  readonly cursor: string;
  /** False when the provider had forgotten `since`, so that changes were missed. */
  readonly complete: boolean;
}

/**
 * The local copy of message metadata. A message's metadata is fetched from the provider once, ever; its labels,
 * the only thing that changes, are kept true by the provider's change history. See ADR 9.
 */
@Injectable()
export class MessageIndexService {
  private readonly syncing = new Map<string, Promise<string>>();

  constructor(
    private readonly accounts: MailboxAccountsService,
    private readonly messages: MessageIndexRepository,
    private readonly states: IndexStatesRepository,
    private readonly follower: HistoryFollower,
    private readonly fetcher: MetadataFetcher,
    private readonly lock: RedisLock,
    private readonly providers: MailboxProviders,
    private readonly indexJobs: IndexJobs,
    private readonly transactions: Transactions,
    @Optional() private readonly listener?: HistoryListener,
  ) {}

  /**
   * Brings the index up to date with the mailbox: usually one history call, none when `maxAgeMs` allows.
   * Callers that tolerate age share one call, over all processes.
   *
   * @returns the cursor the index has followed to
   */
  async sync(account: ProviderAccount, options: SyncOptions): Promise<string> {
    const maxAgeMs = options.maxAgeMs ?? 0;
    if (maxAgeMs > 0) {
      const state = await this.states.find(account.id);
      if (state && state.ageMs < maxAgeMs) return state.cursor;
    }
    return retryWhileUnavailable(this.providers.forAccount(account), options, () =>
      maxAgeMs > 0
        ? this.sharedSync(account, maxAgeMs)
        : this.locked(account, () => this.catchUp(account, 0), options.signal),
    );
  }

  /**
   * Metadata of any number of messages, in the order asked, in batches of bounded size; ids the mailbox does not
   * have are left out. Only messages missing from the index are requested from the provider.
   *
   * @param options.maxAgeMs how old the labels may be (default 2 s)
   */
  async *metadata(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions & { maxAgeMs?: number },
  ): AsyncGenerator<readonly MessageMetadata[]> {
    await this.sync(account, { ...options, maxAgeMs: options.maxAgeMs ?? READ_MAX_AGE_MS });
    for (const chunk of chunks([...new Set(ids)], CHUNK)) {
      options.signal?.throwIfAborted();
      const rows = await this.messages.find(account.id, chunk);
      const found = new Map<string, MessageMetadata>(rows.map((message) => [message.id, message]));
      const missing = chunk.filter((id) => !found.has(id));
      for await (const batch of this.fetcher.missing(account, missing, options)) {
        for (const message of batch) found.set(message.id, message);
      }
      yield chunk.flatMap((id) => found.get(id) ?? []);
    }
  }

  /** As `metadata`, with the snippets that the index does not keep: the provider is asked for these messages. */
  async *withSnippets(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    for await (const batch of this.metadata(account, ids, options)) {
      const whole = new Map(batch.filter(hasSnippet).map((message) => [message.id, message]));
      const withheld = batch.map(({ id }) => id).filter((id) => !whole.has(id));
      for await (const fetched of this.fetcher.fetch(account, withheld, { ...options, withSnippets: true })) {
        for (const message of fetched) whole.set(message.id, message);
      }
      yield batch.flatMap(({ id }) => whole.get(id) ?? []);
    }
  }

  /**
   * Takes what the index has of bodies off messages whose archived copies are being encrypted. What is indexed from
   * `transaction` on comes without.
   * @param names of the archived copies
   * @param transaction in which the archived copies become encrypted afterwards: locking the state after them could
   *   end in a deadlock
   * @returns ids of the messages
   */
  async withholdSnippets(
    accountId: string,
    names: readonly string[],
    transaction: Transaction,
  ): Promise<readonly string[]> {
    await this.states.lockOrKeepOut(accountId, transaction);
    const ids = await this.messages.copiesOf(accountId, names, transaction);
    await this.messages.withholdSnippets(accountId, ids, transaction);
    return ids;
  }

  /**
   * Those of the messages whose archived copies are encrypted.
   * @param transaction has locked the account's archive: the others stay as they are until it ends
   */
  encryptedAmong(
    accountId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    return this.messages.encryptedAmong(accountId, ids, transaction);
  }

  /** To be called before rows are deleted that the mailbox still has: the index no longer says what it covers. */
  async loseCoverage(accountId: string, transaction: Transaction): Promise<void> {
    await this.states.lock(accountId, transaction);
    await this.states.lose(accountId, transaction);
    await this.listener?.lost(accountId, transaction);
  }

  /** Deletes how far the index has come, once its rows are deleted: whoever writes it begins anew. */
  async deleteState(accountId: string, transaction: Transaction): Promise<void> {
    await this.states.lock(accountId, transaction);
    await this.listener?.lost(accountId, transaction);
    await this.states.delete(accountId, transaction);
  }

  /**
   * Asks the provider for these messages whatever the index holds, corrects the index, and yields those found;
   * the rows of ids that were not are deleted.
   */
  async *refresh(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    for (const chunk of chunks(ids, CHUNK)) {
      const missing = new Set(chunk);
      for await (const batch of this.fetcher.fetch(account, chunk, options)) {
        for (const message of batch) missing.delete(message.id);
        yield batch;
      }
      await this.delete(account.id, [...missing]);
    }
  }

  /**
   * Reads the changes since a cursor this service returned earlier, applying them to the index on the way, so that
   * they are not requested again.
   *
   * @param onChanges sees every change, oldest first, page by page; after a failed attempt from the start again
   */
  followFrom(
    account: ProviderAccount,
    since: string,
    onChanges: (changes: readonly MailboxChange[]) => void,
    options: HistoryOptions,
  ): Promise<Followed> {
    const { isLastLook } = options;
    const prompt: CallOptions = { ...PROMPT, signal: options.signal };
    const follow = async (): Promise<Followed> => {
      const state = await this.follower.begin(account, prompt);
      try {
        await this.follower.advance(account, { from: since, state, onChanges, isLastLook }, prompt);
        // When another process was faster this is its cursor, which lies behind what `onChanges` has seen.
        return { cursor: (await this.afterFollowing(account, state)).cursor, complete: true };
      } catch (error) {
        if (!(error instanceof CursorInvalid)) throw error;
        return { cursor: await this.catchUp(account, 0), complete: false };
      }
    };
    const provider = this.providers.forAccount(account);
    return retryWhileUnavailable(provider, options, () => this.locked(account, follow, options.signal));
  }

  /** Labels of those messages the index holds. */
  async knownLabels(
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.messages.findLabels(accountId, ids);
    return new Map(rows.map(({ id, labelIds }) => [id, labelIds]));
  }

  /** Bytes, as the provider says, of those messages the index holds. */
  async sizes(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.messages.findSizes(accountId, ids);
    return new Map(rows.map(({ id, sizeEstimate }) => [id, sizeEstimate]));
  }

  /** Sender (lower-case), bytes as the provider says, and date of those messages the index holds: they never change. */
  async facts(
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { sender: string; sizeBytes: number; date: Date }>> {
    const rows = await this.messages.findFacts(accountId, ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Figures of those messages the index holds, spam and trash included. */
  figures(accountId: string, ids: readonly string[]): Promise<MessageFigures> {
    return this.messages.figures(accountId, ids);
  }

  /** Those of the messages that the index holds with a label. */
  async carrying(accountId: string, ids: readonly string[], labelId: string): Promise<ReadonlySet<string>> {
    return new Set(await this.messages.findCarrying(accountId, ids, labelId));
  }

  /** Deletes the rows of messages that the mailbox no longer has. */
  async delete(accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.transactions.run(async (transaction) => {
      await this.states.lock(accountId, transaction);
      await this.messages.delete(accountId, ids, transaction);
    });
  }

  /** A deleted label leaves its messages without a word in the history. */
  async removeLabel(accountId: string, labelId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      await this.states.lock(accountId, transaction);
      await this.messages.removeLabel(accountId, labelId, transaction);
      await this.listener?.labelRemoved(accountId, labelId, transaction);
    });
  }

  /** Shared by the callers that arrive while it runs, so no single caller's signal may end it. */
  private sharedSync(account: ProviderAccount, maxAgeMs: number): Promise<string> {
    let running = this.syncing.get(account.id);
    if (!running) {
      running = this.locked(account, () => this.catchUp(account, maxAgeMs)).finally(() =>
        this.syncing.delete(account.id),
      );
      this.syncing.set(account.id, running);
    }
    return running;
  }

  /** Runs work that follows the account's history. */
  private locked<T>(account: ProviderAccount, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.lock.run(indexLockKey(account.id, 'history'), work, { ...INDEX_LOCK, signal });
  }

  /** Follows history from the stored cursor; the caller holds the lock. After waiting for the lock it may be done already. */
  private async catchUp(account: ProviderAccount, maxAgeMs: number): Promise<string> {
    const known = await this.states.find(account.id);
    if (known && known.ageMs < maxAgeMs) return known.cursor;
    // A cursor taken this moment is as good as a sync.
    if (known) await this.follow(account, known);
    else await this.follower.begin(account, PROMPT);
    await this.accounts.recordSync(account.userId, account.id, new Date());
    return (await this.afterFollowing(account, known)).cursor;
  }

  private async follow(account: ProviderAccount, known: IndexState): Promise<void> {
    let state = known;
    for (let attempt = 1; attempt <= FOLLOW_ATTEMPTS; attempt += 1) {
      try {
        if (await this.follower.advance(account, { from: state.cursor, state }, PROMPT)) return;
      } catch (error) {
        if (!(error instanceof CursorInvalid)) throw error;
        await this.follower.restart(account, state, PROMPT);
        return;
      }
      state = await this.follower.begin(account, PROMPT);
    }
  }

  /** The state now. If coverage was lost on the way, the mailbox is indexed again in the background. */
  private async afterFollowing(
    account: ProviderAccount,
    before: IndexState | undefined,
  ): Promise<IndexState> {
    const state = await this.follower.begin(account, PROMPT);
    if (before && state.epoch !== before.epoch && state.wanted) await this.indexJobs.start(account);
    return state;
  }
}

const hasSnippet = ({ snippet }: MessageMetadata): boolean => snippet !== null;
