import { Injectable, Optional } from '@nestjs/common';
import { Transaction, Transactions } from '../../platform/database/transactions';
import { RedisLock } from '../../platform/redis/redis-lock';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import type { MessageMetadataSource } from '../accounts/message-metadata.port';
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

export type { MessageFigures } from './message-index.repository';

/**
 * Age up to which readers accept the index without a sync, in milliseconds, so that bursts of reads share one history
 * call.
 */
export const READ_MAX_AGE_MS = 2_000;
/** Messages looked up, fetched and yielded at once. */
const CHUNK = 500;
/** Attempts to follow the history while other processes move the cursor. */
const FOLLOW_ATTEMPTS = 3;

export interface SyncOptions extends CallOptions {
  /** Age of a sync that is recent enough, in milliseconds; 0 (the default) always asks the provider. */
  readonly maxAgeMs?: number;
}

export interface Followed {
  /** Cursor from which to go on next time. */
  readonly cursor: string;
  /** False when the provider had forgotten `since`, so that changes were missed. */
  readonly complete: boolean;
}

/**
 * Local copy of message metadata. The metadata of a message is fetched from the provider only once; its labels, which
 * alone can change, are kept up to date by the provider's change history. See ADR 9.
 */
@Injectable()
export class MessageIndexService implements MessageMetadataSource {
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
        ? this.syncOnce(account, maxAgeMs)
        : this.runLocked(account, () => this.catchUp(account, 0), options.signal),
    );
  }

  /**
   * Reads metadata of any number of messages, in the given order and in batches of bounded size. Ids that the mailbox
   * does not have are left out. Only messages missing from the index are requested from the provider.
   *
   * @param options.maxAgeMs longest age of the labels (default 2 s)
   */
  async *readMetadata(
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
      for await (const batch of this.fetcher.fetchMissing(account, missing, options)) {
        for (const message of batch) found.set(message.id, message);
      }
      yield chunk.flatMap((id) => found.get(id) ?? []);
    }
  }

  /** Reads metadata like `metadata`, with the snippets that the index does not store, for which it asks the provider. */
  async *readWithSnippets(
    account: ProviderAccount,
    ids: readonly string[],
    options: CallOptions,
  ): AsyncGenerator<readonly MessageMetadata[]> {
    for await (const batch of this.readMetadata(account, ids, options)) {
      const whole = new Map(batch.filter(hasSnippet).map((message) => [message.id, message]));
      const withheld = batch.map(({ id }) => id).filter((id) => !whole.has(id));
      for await (const fetched of this.fetcher.fetch(account, withheld, { ...options, withSnippets: true })) {
        for (const message of fetched) whole.set(message.id, message);
      }
      yield batch.flatMap(({ id }) => whole.get(id) ?? []);
    }
  }

  /**
   * Deletes the snippets of messages whose archived copies are being encrypted. Messages that are indexed after
   * `transaction` have none.
   * @param names names of the archived copies
   * @param transaction the transaction that encrypts the archived copies afterwards; locking the state after them could
   *   cause a deadlock
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
   * Returns the ids of messages whose archived copies are encrypted.
   * @param transaction a transaction that has locked the account's archive, so that the other copies stay unencrypted
   *   until it ends
   */
  findEncrypted(
    accountId: string,
    ids: readonly string[],
    transaction: Transaction,
  ): Promise<ReadonlySet<string>> {
    return this.messages.findEncrypted(accountId, ids, transaction);
  }

  /** Records that coverage is lost. Must be called before rows of existing messages are deleted. */
  async loseCoverage(accountId: string, transaction: Transaction): Promise<void> {
    await this.states.lock(accountId, transaction);
    await this.states.recordLoss(accountId, transaction);
    await this.listener?.onCursorLost(accountId, transaction);
  }

  /** Deletes the state of the index after its rows were deleted, so that the next writer begins anew. */
  async deleteState(accountId: string, transaction: Transaction): Promise<void> {
    await this.states.lock(accountId, transaction);
    await this.listener?.onCursorLost(accountId, transaction);
    await this.states.delete(accountId, transaction);
  }

  /**
   * Fetches these messages from the provider even if they are indexed, updates the index, and yields the messages
   * found. Rows of ids that were not found are deleted.
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
   * Reads the changes since a cursor this service returned earlier, applying them to the index on the way, so that they
   * are not requested again.
   *
   * @param onChanges called with every change, oldest first, page by page; after a failed attempt from the start again
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
        // When another process was faster this is its cursor, which may be earlier than the last change that
        // `onChanges` has got.
        return { cursor: (await this.finishFollowing(account, state)).cursor, complete: true };
      } catch (error) {
        if (!(error instanceof CursorInvalid)) throw error;
        return { cursor: await this.catchUp(account, 0), complete: false };
      }
    };
    const provider = this.providers.forAccount(account);
    return retryWhileUnavailable(provider, options, () => this.runLocked(account, follow, options.signal));
  }

  /** Finds the labels of those messages that are indexed. */
  async findLabels(
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.messages.findLabels(accountId, ids);
    return new Map(rows.map(({ id, labelIds }) => [id, labelIds]));
  }

  /** Finds the sizes in bytes, by the provider's estimate, of those messages that are indexed. */
  async findSizes(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.messages.findSizes(accountId, ids);
    return new Map(rows.map(({ id, sizeEstimate }) => [id, sizeEstimate]));
  }

  /**
   * Finds sender (in lower case), size in bytes by the provider's estimate, and date of those messages that are
   * indexed. These facts never change.
   */
  async findFacts(
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { sender: string; sizeBytes: number; date: Date }>> {
    const rows = await this.messages.findFacts(accountId, ids);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Computes figures of those messages that are indexed, including spam and trash. */
  computeFigures(accountId: string, ids: readonly string[]): Promise<MessageFigures> {
    return this.messages.computeFigures(accountId, ids);
  }

  /** Returns the ids of messages that are indexed with a label. */
  async findCarrying(
    accountId: string,
    ids: readonly string[],
    labelId: string,
  ): Promise<ReadonlySet<string>> {
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

  /** Removes a deleted label from all messages, since the history does not show its deletion. */
  async removeLabel(accountId: string, labelId: string): Promise<void> {
    await this.transactions.run(async (transaction) => {
      await this.states.lock(accountId, transaction);
      await this.messages.removeLabel(accountId, labelId, transaction);
      await this.listener?.onLabelRemoved(accountId, labelId, transaction);
    });
  }

  /** Syncs once for all callers that arrive while it runs, so no single caller's signal may end it. */
  private syncOnce(account: ProviderAccount, maxAgeMs: number): Promise<string> {
    let running = this.syncing.get(account.id);
    if (!running) {
      running = this.runLocked(account, () => this.catchUp(account, maxAgeMs)).finally(() =>
        this.syncing.delete(account.id),
      );
      this.syncing.set(account.id, running);
    }
    return running;
  }

  /** Runs work under the lock for following the account's history. */
  private runLocked<T>(account: ProviderAccount, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.lock.run(indexLockKey(account.id, 'history'), work, { ...INDEX_LOCK, signal });
  }

  /**
   * Follows the history from the stored cursor. The caller holds the lock; another one may have done this while it
   * waited.
   */
  private async catchUp(account: ProviderAccount, maxAgeMs: number): Promise<string> {
    const known = await this.states.find(account.id);
    if (known && known.ageMs < maxAgeMs) return known.cursor;
    // A cursor obtained just now is as good as a sync.
    if (known) await this.follow(account, known);
    else await this.follower.begin(account, PROMPT);
    await this.accounts.recordSync(account.userId, account.id, new Date());
    return (await this.finishFollowing(account, known)).cursor;
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

  /** Returns the present state. If coverage was lost meanwhile, the mailbox is indexed again in the background. */
  private async finishFollowing(
    account: ProviderAccount,
    before: IndexState | undefined,
  ): Promise<IndexState> {
    const state = await this.follower.begin(account, PROMPT);
    if (before && state.epoch !== before.epoch && state.wanted) await this.indexJobs.start(account);
    return state;
  }
}

const hasSnippet = ({ snippet }: MessageMetadata): boolean => snippet !== null;
