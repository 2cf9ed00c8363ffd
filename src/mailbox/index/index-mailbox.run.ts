import type { JobContext } from '../../platform/jobs/job-definition';
import type { RedisLock } from '../../platform/redis/redis-lock';
import { LabelNotFound, ProviderRejected } from '../../providers/port/mail-provider.errors';
import type {
  CallOptions,
  MailboxProvider,
  MessagePage,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import type { IndexState, IndexStatesRepository } from './index-states.repository';
import type { HistoryFollower } from './history-follower';
import { type HistoryReplay, PROMPT } from './history-replay';
import { INDEX_LOCK, indexLockKey } from './index-locks';
import { isInvalidArgument } from './listed-labels';
import type { ListingsRepository } from './listings.repository';
import type { MessageIndexRepository } from './message-index.repository';
import type { MessageIndexService } from './message-index.service';
import { chunks, type MetadataFetcher } from './metadata-fetcher';
import { isRecent, Reconciliation, ReconciliationState } from './reconciliation';

const PAGE = 500;
/** Messages fetched while other callers of the same messages wait. */
const FETCHED_AT_ONCE = 250;
/**
 * Most listings of the whole mailbox in one attempt. Usually there are two: one that fetches, and one that finds
 * nothing missing.
 */
const MAX_PASSES = 6;

/** Most messages of a mailbox that may be left out because the provider refuses to show them. */
const MAX_UNREADABLE = 1_000;

export interface IndexResult {
  /** Messages fetched by this job. */
  readonly fetched: number;
  /** Messages in the mailbox, except spam and trash. */
  readonly messages: number;
  /** Whether no message is missing. */
  readonly complete: boolean;
}

/** State in the checkpoint, with which another process can go on after a page. */
interface IndexRunState {
  /** Epoch of the coverage. The progress is only valid while it has not changed. */
  epoch: number;
  /** Token of the next page of the pass; absent at its start. */
  pageToken?: string | undefined;
  /** Messages listed by the pass so far. */
  seen: number;
  /** Messages that the pass found missing so far. */
  missed: number;
  /** Messages reported as processed. A second pass over them does not count. */
  counted: number;
  total: number;
  fetched: number;
  /** Ids of messages that the provider refuses to show. */
  unreadable: string[];
  /** Whether the pass left a message out, so that older messages are not covered without a gap. */
  gap?: boolean | undefined;
  reconciliation?: ReconciliationState | undefined;
}

export interface IndexMailboxServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly messages: MessageIndexRepository;
  readonly states: IndexStatesRepository;
  readonly listings: ListingsRepository;
  readonly follower: HistoryFollower;
  readonly replay: HistoryReplay;
  readonly fetcher: MetadataFetcher;
  readonly lock: RedisLock;
}

/**
 * Indexes a mailbox for one job: lists ids page by page and fetches the missing messages, until a pass over the whole
 * mailbox finds none missing. Each sync follows the change history meanwhile. If the history is lost the run starts
 * over, which lists the ids again but fetches no message twice.
 */
export class IndexMailboxRun {
  private state: IndexRunState;
  private refusal: ProviderRejected | undefined;
  private restarts = 0;

  constructor(
    private readonly account: ProviderAccount,
    private readonly job: JobContext,
    private readonly services: IndexMailboxServices,
  ) {}

  async run(): Promise<IndexResult> {
    const { messages, states } = this.services;
    this.state = this.job.savedCheckpoint<IndexRunState>() ?? (await this.start());
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const now = await this.followHistory();
      if (now.complete) return this.finish(true);
      if (now.epoch !== this.state.epoch) await this.startOver(now.epoch);
      if (await messages.hasStale(this.account.id)) {
        await this.reconcile(now);
        if (await messages.hasStale(this.account.id)) continue;
      }
      await this.listAndFetch();
      if (this.state.missed === 0 && (await states.complete(this.account.id, this.state.epoch))) {
        return this.finish(true);
      }
    }
    return this.finish(false);
  }

  private get background(): CallOptions {
    return { priority: 'background', signal: this.job.signal };
  }

  private async start(): Promise<IndexRunState> {
    const total = await this.countMessages();
    this.job.setTotal(total);
    return { epoch: 0, seen: 0, missed: 0, counted: 0, total, fetched: 0, unreadable: [] };
  }

  /** Counts the messages by the provider's own numbers, which change meanwhile. */
  private async countMessages(): Promise<number> {
    const { provider } = this.services;
    const { messagesTotal } = await provider.getProfile(this.background);
    let hidden = 0;
    for (const label of ['SPAM', 'TRASH']) {
      try {
        hidden += (await provider.getLabel(label, this.background)).messagesTotal ?? 0;
      } catch (error) {
        if (!(error instanceof LabelNotFound)) throw error;
      }
    }
    return Math.max(0, messagesTotal - hidden);
  }

  private async followHistory(): Promise<IndexState> {
    const { index, follower, states } = this.services;
    await index.sync(this.account, this.background);
    if (!(await follower.begin(this.account, PROMPT)).wanted) await states.want(this.account.id);
    return follower.begin(this.account, PROMPT);
  }

  private async startOver(epoch: number): Promise<void> {
    const { reconciliation, total, counted, fetched, unreadable } = this.state;
    if (reconciliation) {
      await this.services.listings.delete({ accountId: this.account.id, run: reconciliation.run });
    }
    this.state = { epoch, seen: 0, missed: 0, total, counted, fetched, unreadable };
  }

  private async reconcile(now: IndexState): Promise<void> {
    const run = `${this.job.jobId}/${this.job.attempt}/${now.epoch}`;
    const reconciliation = new Reconciliation(this.account, this.job, this.services);
    const begunAt = new Date();
    const begun = this.state.reconciliation;
    const from =
      begun && isRecent(begun, begunAt) ? begun : { run, begunAt: begunAt.toISOString(), cursor: now.cursor };
    await reconciliation.run(from, now.epoch, (state) => {
      this.state.reconciliation = state;
      return this.job.checkpoint(this.state);
    });
  }

  /** Does one pass over the mailbox, or the rest of one. */
  private async listAndFetch(): Promise<void> {
    if (!this.state.pageToken) this.state = { ...this.state, seen: 0, missed: 0, gap: false };
    do {
      this.job.throwIfCancelled();
      const page = await this.nextPage();
      const ids = page.messages.map(({ id }) => id);
      const missing = await this.findUnknown(ids);
      this.report(this.state.seen + ids.length - missing.length);
      await this.fetchAll(missing, this.state.seen + ids.length - missing.length);
      await this.cover(ids);
      this.state.seen += ids.length;
      this.state.pageToken = page.nextPageToken;
      await this.job.checkpoint(this.state);
    } while (this.state.pageToken);
  }

  private async nextPage(): Promise<MessagePage> {
    const { provider } = this.services;
    const { pageToken } = this.state;
    try {
      return await provider.listMessages(
        { maxResults: PAGE, ...(pageToken && { pageToken }) },
        this.background,
      );
    } catch (error) {
      if (!pageToken || !isInvalidArgument(error)) throw error;
      this.restarts += 1;
      if (this.restarts > MAX_PASSES) throw error;
      // The provider has forgotten the page token, so the pass starts again. Indexed messages are not fetched again.
      this.state = { ...this.state, pageToken: undefined, seen: 0, gap: false };
      return provider.listMessages({ maxResults: PAGE }, this.background);
    }
  }

  private async fetchAll(missing: readonly string[], seen: number): Promise<void> {
    const { lock } = this.services;
    const options = { ...INDEX_LOCK, signal: this.job.signal };
    let done = 0;
    for (const part of chunks(missing, FETCHED_AT_ONCE)) {
      this.job.throwIfCancelled();
      // A user who is waiting for the newest messages goes first.
      await lock.run(indexLockKey(this.account.id, 'newest'), () => Promise.resolve(), options);
      const fetch = async (): Promise<void> => {
        for await (const found of this.fetch(part)) this.report(seen + done + found);
      };
      await lock.run(indexLockKey(this.account.id, 'fetching'), fetch, options);
      done += part.length;
    }
  }

  /** Fetches missing messages, and yields the number of messages that are indexed so far. */
  private async *fetch(ids: readonly string[]): AsyncGenerator<number> {
    const { fetcher } = this.services;
    // Other callers may have fetched the messages meanwhile.
    const missing = await this.findUnknown(ids);
    let found = ids.length - missing.length;
    yield found;
    const onUnreadable = (id: string, error: ProviderRejected): void => this.leaveOut(id, error);
    for await (const batch of fetcher.fetchMissing(this.account, missing, {
      ...this.background,
      onUnreadable,
    })) {
      found += batch.length;
      this.state.missed += batch.length;
      this.state.fetched += batch.length;
      yield found;
    }
    // This many refusals have a common cause, which the job should report.
    if (this.refusal && this.state.unreadable.length > MAX_UNREADABLE) throw this.refusal;
  }

  /** Returns the ids without a row, except those of unreadable messages. */
  private async findUnknown(ids: readonly string[]): Promise<string[]> {
    const unknown = await this.services.messages.findUnknown(this.account.id, ids);
    const unreadable = new Set(this.state.unreadable);
    return unknown.filter((id) => !unreadable.has(id));
  }

  private leaveOut(id: string, error: ProviderRejected): void {
    if (this.state.unreadable.includes(id)) return;
    this.refusal = error;
    this.job.fail(id, error.code, error.detail);
    this.state.unreadable.push(id);
  }

  /** Records that all messages from the newest to this page are indexed, unless one is missing. */
  private async cover(ids: readonly string[]): Promise<void> {
    this.state.gap ||= (await this.findUnknown(ids)).length > 0;
    if (!this.state.gap) await this.services.states.cover(this.account.id, ids, this.state.epoch);
  }

  /** @param listed number of messages done, including those that cannot be read */
  private report(listed: number): void {
    const seen = listed - this.state.unreadable.length;
    if (seen <= this.state.counted) return;
    this.job.progress({ processed: seen - this.state.counted });
    this.state.counted = seen;
    if (seen <= this.state.total) return;
    this.state.total = seen;
    this.job.setTotal(seen);
  }

  private async finish(complete: boolean): Promise<IndexResult> {
    const messages = await this.services.messages.count(this.account.id);
    const { length: unreadable } = this.state.unreadable;
    this.report(messages + unreadable);
    // Messages were deleted meanwhile, or the provider's count was not exact.
    const done = this.state.counted + unreadable;
    this.job.setTotal(complete ? done : Math.max(this.state.total, done));
    return { fetched: this.state.fetched, messages, complete };
  }
}
