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
import { countedLabels, listLabelsOf } from './listed-labels';

const PAGE = 500;
const MAX_NEWEST = 5_000;
/** As many as most figures are about. */
const STEP = 500;
/** Once more when coverage was lost, or messages went, while it was being gained. */
const ATTEMPTS = 2;
/** Fetched between two looks at the clock. */
const FETCHED_AT_ONCE = 100;
/** How long one request may go on fetching, when quota comes in slowly; fetched messages stay. */
const MAX_FETCHING_MS = 45_000;
const RETRY_MS = 2_000;
/** How long to wait for a background fetch, which may be after the very same messages. */
const BACKGROUND_MS = 3_000;

interface TimedOptions extends CallOptions {
  /** On the clock of `performance.now()`. */
  readonly until: number;
}

/** Sees to it that the newest messages are indexed without a gap, and the rest of the mailbox in the background. */
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
   * @param newest how many, at most 5,000
   * @param sync how old the index may be
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
      // Also when the provider is out of quota: it goes on as soon as there is some.
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

  /** Callers that wait for fewer messages get the lock between two steps, and find them there. */
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
    // Before the listing: later changes are in the history that follows.
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

  /** Learns the labels of messages whose history was lost, unless it is cheaper to fetch them again. */
  private async verify(
    account: ProviderAccount,
    state: IndexState,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<void> {
    const stale = await this.messages.findStale(account.id, ids);
    if (stale.length === 0) return;
    const provider = this.providers.forAccount(account);
    const labels = await countedLabels(provider, options);
    if (labels.length > stale.length) return;
    const listed = await listLabelsOf(provider, ids, stale, labels, options);
    await this.replay.onTopOf(account, state, {
      before: (transaction) => this.messages.verifyLabels(account.id, listed, transaction),
    });
  }

  /** @returns whether all of them are indexed now, but those that are gone or cannot be read */
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
      for await (const batch of this.fetcher.missing(account, part, {
        ...options,
        onUnreadable: unreadable,
      })) {
        for (const { id } of batch) fetched.add(id);
      }
    }
    // Messages that came but could not be stored are not covered.
    const lacking = await this.messages.findMissing(account.id, ids);
    return !lacking.some((id) => fetched.has(id));
  }

  /** The listing was the whole mailbox: rows it did not verify belong to spam, trash or nothing. */
  private async deleteUnlisted(account: ProviderAccount, { epoch }: IndexState): Promise<void> {
    if (!(await this.messages.hasStale(account.id))) return;
    await this.transactions.run(async (transaction) => {
      if ((await this.states.lock(account.id, transaction))?.epoch !== epoch) return;
      await this.messages.deleteStale(account.id, transaction);
    });
  }
}
