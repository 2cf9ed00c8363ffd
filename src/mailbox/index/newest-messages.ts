import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions';
import { RedisLock } from '../../platform/redis/redis-lock';
import { CallOptions, MailboxProviders, ProviderAccount } from '../../providers/port/mailbox-provider.port';
import { ProviderRejected, RequestsPaced } from '../../providers/port/mail-provider.errors';
import { HistoryFollower } from './history-follower';
import { HistoryReplay, PROMPT } from './history-replay';
import { INDEX_LOCK, indexLockKey } from './index-locks';
import { IndexJobs } from './index-jobs';
import { chunks, MetadataFetcher } from './metadata-fetcher';
import { MessageIndexRepository } from './message-index.repository';
import { MessageIndexService, SyncOptions } from './message-index.service';
import { IndexState, IndexStatesRepository } from './index-states.repository';
import { listCountedLabels, listLabelsOf } from './listed-labels';

const PAGE = 500;
const MAX_NEWEST = 5_000;
/** Messages indexed in one step, which are enough for most figures. */
const STEP = 500;
/** Attempts to cover the newest messages, since coverage may be lost or messages deleted meanwhile. */
const ATTEMPTS = 2;
/** Messages fetched between two checks of the time limit. */
const FETCHED_AT_ONCE = 100;
/** Time for which one request may fetch when quota is short, in milliseconds. Fetched messages are stored. */
const MAX_FETCHING_MS = 45_000;
const RETRY_MS = 2_000;
/** Time to wait for a background fetch, which may be fetching the same messages, in milliseconds. */
const BACKGROUND_MS = 3_000;

interface TimedOptions extends CallOptions {
  /** End of the time limit, on the clock of `performance.now()`. */
  readonly until: number;
}

/**
 * Indexes the newest messages without a gap, and starts indexing the rest of the mailbox in the background. It has ten
 * dependencies because the first read lists, fetches, follows the history and starts a job, under one lock.
 */
@Injectable()
export class NewestMessages {
  private readonly logger = new Logger(NewestMessages.name);

  constructor(
    private readonly index: MessageIndexService,
    private readonly providers: MailboxProviders,
    private readonly messages: MessageIndexRepository,
    private readonly states: IndexStatesRepository,
    private readonly follower: HistoryFollower,
    private readonly replay: HistoryReplay,
    private readonly fetcher: MetadataFetcher,
    private readonly lock: RedisLock,
    private readonly jobs: IndexJobs,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param newest number of messages, at most 5,000
   * @param sync longest age of the index
   * @returns whether the whole mailbox is indexed
   */
  async ensure(account: ProviderAccount, newest: number, sync: SyncOptions): Promise<boolean> {
    const { maxAgeMs: _maxAgeMs, ...options } = sync;
    await this.index.sync(account, sync);
    const { wanted } = await this.follower.begin(account, PROMPT);
    if (!wanted) await this.states.want(account.id);
    const limit = Math.min(MAX_NEWEST, newest);
    try {
      if (!(await this.covers(account, limit))) await this.fillStepwise(account, limit, options);
    } finally {
      // The job is started even when the quota is used up, so that it goes on as soon as there is some.
      if (!(await this.isComplete(account))) await this.jobs.start(account);
    }
    return this.isComplete(account);
  }

  /** Follows the history of an account whose figures were requested; does nothing for others. */
  async keepUp(account: ProviderAccount, signal?: AbortSignal): Promise<void> {
    if (!(await this.states.find(account.id))?.wanted) return;
    await this.index.sync(account, { priority: 'background', ...(signal && { signal }) });
    if (!(await this.isComplete(account))) await this.jobs.start(account);
  }

  private async isComplete(account: ProviderAccount): Promise<boolean> {
    return (await this.states.find(account.id))?.complete ?? false;
  }

  private async covers(account: ProviderAccount, limit: number): Promise<boolean> {
    if (await this.isComplete(account)) return true;
    return (await this.states.countCovered(account.id, limit)) >= limit;
  }

  /**
   * Indexes the messages in steps. Callers that wait for fewer messages get the lock between two steps, and find theirs
   * indexed.
   */
  private async fillStepwise(account: ProviderAccount, limit: number, options: CallOptions): Promise<void> {
    const timed: TimedOptions = { ...options, until: performance.now() + MAX_FETCHING_MS };
    for (let step = Math.min(STEP, limit); ; step = Math.min(step + STEP, limit)) {
      await this.lock.run(indexLockKey(account.id, 'newest'), () => this.fillUp(account, step, timed), {
        ...INDEX_LOCK,
        signal: options.signal,
      });
      if (step === limit) return;
    }
  }

  private async fillUp(account: ProviderAccount, limit: number, options: TimedOptions): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      if (await this.covers(account, limit)) return;
      await this.fill(account, limit, options);
    }
  }

  private async fill(account: ProviderAccount, limit: number, options: TimedOptions): Promise<void> {
    // The state is read before the listing, so that later changes are in the history that follows.
    const state = await this.follower.begin(account, PROMPT);
    const { ids, isAll } = await this.list(account, limit, options);
    await this.verify(account, state, ids, options);
    const fetch = (): Promise<boolean> => this.fetchMissing(account, ids, options);
    const indexed = await this.lock.run(indexLockKey(account.id, 'fetching'), fetch, {
      ...INDEX_LOCK,
      waitMs: BACKGROUND_MS,
      signal: options.signal,
    });
    if (!indexed) return;
    await this.states.cover(account.id, ids, state.epoch);
    if (!isAll) return;
    await this.deleteUnlisted(account, state);
    await this.states.complete(account.id, state.epoch);
  }

  private async list(
    account: ProviderAccount,
    limit: number,
    options: CallOptions,
  ): Promise<{ ids: string[]; isAll: boolean }> {
    const provider = this.providers.forAccount(account);
    const ids = new Set<string>();
    let pageToken: string | undefined;
    do {
      const page = await provider.listMessages(
        { maxResults: Math.min(PAGE, limit - ids.size), ...(pageToken && { pageToken }) },
        options,
      );
      for (const { id } of page.messages) ids.add(id);
      pageToken = page.nextPageToken;
    } while (pageToken && ids.size < limit);
    return { ids: [...ids], isAll: pageToken === undefined };
  }

  /** Lists the labels of messages whose history was lost, unless it is cheaper to fetch the messages again. */
  private async verify(
    account: ProviderAccount,
    state: IndexState,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<void> {
    const stale = await this.messages.findStale(account.id, ids);
    if (stale.length === 0) return;
    const provider = this.providers.forAccount(account);
    const labels = await listCountedLabels(provider, options);
    if (labels.length > stale.length) return;
    const listed = await listLabelsOf(provider, ids, stale, labels, options);
    await this.replay.replayOver(account, state, {
      before: (transaction) => this.messages.verifyLabels(account.id, listed, transaction),
    });
  }

  /** @returns whether all of them are indexed now, except those that are gone or cannot be read */
  private async fetchMissing(
    account: ProviderAccount,
    ids: readonly string[],
    { until, ...options }: TimedOptions,
  ): Promise<boolean> {
    const unreadable = (id: string, error: ProviderRejected): void => {
      this.logger.warn(`Message ${id} cannot be read and is left out: ${error.reason}`);
    };
    const missing = await this.messages.findMissing(account.id, ids);
    const fetched = new Set<string>();
    for (const part of chunks(missing, FETCHED_AT_ONCE)) {
      if (performance.now() > until) throw new RequestsPaced(new Date(Date.now() + RETRY_MS));
      for await (const batch of this.fetcher.fetchMissing(account, part, {
        ...options,
        onUnreadable: unreadable,
      })) {
        for (const { id } of batch) fetched.add(id);
      }
    }
    // Messages that were fetched but could not be stored are not covered.
    const lacking = await this.messages.findMissing(account.id, ids);
    return !lacking.some((id) => fetched.has(id));
  }

  /** Deletes stale rows after the whole mailbox was listed, since they are of messages in spam, in the trash, or gone. */
  private async deleteUnlisted(account: ProviderAccount, { epoch }: IndexState): Promise<void> {
    if (!(await this.messages.hasStale(account.id))) return;
    await this.transactions.run(async (transaction) => {
      if ((await this.states.lock(account.id, transaction))?.epoch !== epoch) return;
      await this.messages.deleteStale(account.id, transaction);
    });
  }
}
