import type { Transaction } from '../../../platform/database/transactions';
import type { JobContext } from '../../../platform/jobs/job-definition';
import type { LedgerService } from '../ledger/ledger.service';
import type { MailboxProvider, ProviderAccount } from '../../../providers/port/mailbox-provider.port';
import type { HistoryReplay } from '../../../mailbox/index/history-replay';
import type { ListingRun, ListingState, WholeListings } from '../../../mailbox/index/whole-listings';
import type { MessageIndexService } from '../../../mailbox/index/message-index.service';
import { ArchivingOff, MailboxUnsettled } from '../archiving.errors';
import type { ProviderTotals } from './provider-totals';

/** Messages written in one transaction: some tenths of a second. */
const WRITTEN_AT_ONCE = 5_000;
/** Missing messages that are asked for one by one; with more, the listing is taken to be wrong. */
const MAX_ASKED = 1_000;
/** Times that the history may be lost during a comparison. */
const MAX_ATTEMPTS = 3;
/** An older listing is started anew: those of two days ago may be deleted. */
const LONGEST_MS = 24 * 60 * 60_000;

/** State that is stored after each page, to continue from. */
interface ReconcileState {
  /** Names its listings. */
  readonly run: string;
  /** ISO 8601. */
  readonly begunAt: string;
  /** From before the first page: history since then is replayed on top. */
  readonly cursor: string;
  /** Epoch of the ledger at the start: the ledger becomes exact only if it is still the same. */
  readonly epoch: number;
  readonly listing: ListingState;
  /** Listed a second time: what neither listing has is not there. */
  readonly again: boolean;
  /** It is done, and its listing may be deleted: from then on nothing is to be concluded from that. */
  readonly result?: ReconcileResult;
}

export interface ReconcileResult {
  /** Messages that the mailbox has, spam and trash included. */
  readonly messages: number;
  /** Rows of the ledger whose messages were not in the mailbox. */
  readonly gone: number;
  /** Whether the ledger is the mailbox now. */
  readonly exact: boolean;
}

export interface ReconcileMailboxServices {
  readonly provider: MailboxProvider;
  readonly index: MessageIndexService;
  readonly listings: WholeListings;
  readonly replay: HistoryReplay;
  readonly ledger: LedgerService;
  readonly totals: ProviderTotals;
}

/** Compares the ledger with everything that the mailbox has, and puts it right. */
export class ReconcileMailboxRun {
  constructor(
    private readonly account: ProviderAccount,
    private readonly job: JobContext,
    private readonly services: ReconcileMailboxServices,
  ) {}

  /**
   * Goes on from the job's checkpoint. Listing costs a call per 500 messages, and one per 500 of each label.
   * @throws ArchivingOff, MailboxUnsettled when the history was lost again and again
   */
  async run(): Promise<ReconcileResult> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const result = await this.attempt(attempt);
      if (result) return result;
    }
    throw new MailboxUnsettled();
  }

  /** @returns null when the history was lost during the comparison */
  private async attempt(attempt: number): Promise<ReconcileResult | null> {
    const saved = attempt === 1 ? this.job.savedCheckpoint<ReconcileState>() : undefined;
    if (saved?.result) return this.finish(saved, saved.result);
    let state = saved && isRecent(saved, new Date()) ? saved : await this.begin(attempt);
    for (;;) {
      state = await this.list(state);
      const absent = await this.listAbsent(state);
      if (absent === null) return null;
      if (absent.length > MAX_ASKED && !state.again) {
        await this.services.listings.delete(this.listingOf(state));
        state = await this.begin(attempt, true);
        continue;
      }
      const gone = absent.length > MAX_ASKED ? absent : await this.listGone(absent);
      return this.write(state, gone);
    }
  }

  private async begin(attempt: number, again = false): Promise<ReconcileState> {
    const { account, job, services } = this;
    const ledger = await services.ledger.findState(account.id);
    if (!ledger || ledger.mode === 'off') throw new ArchivingOff();
    const cursor = await services.index.sync(account, { priority: 'background', signal: job.signal });
    const run = `${job.jobId}/${job.attempt}/${attempt}/${again ? 'again' : 'first'}`;
    // The sync may have found that the history was lost.
    const epoch = (await services.ledger.findState(account.id))?.epoch ?? ledger.epoch;
    const begunAt = new Date().toISOString();
    const state: ReconcileState = { run, begunAt, cursor, epoch, listing: { messages: 0 }, again };
    // A process that is killed leaves no listing behind.
    await job.checkpoint(state);
    return state;
  }

  private async list(state: ReconcileState): Promise<ReconcileState> {
    const { job } = this;
    const { provider, listings } = this.services;
    const save = async (reached: ListingState): Promise<void> => {
      job.setTotal(Math.max(reached.messages, 1));
      await job.checkpoint({ ...state, listing: reached });
    };
    const listing = await listings.complete(provider, this.listingOf(state), job, state.listing, save);
    return { ...state, listing };
  }

  /**
   * Messages of the ledger that are neither listed nor in the history since: a page may have shifted while it was listed.
   * @returns null when the history was lost during the comparison
   */
  private async listAbsent(state: ReconcileState): Promise<string[] | null> {
    const { account, job } = this;
    const { index, ledger, listings } = this.services;
    const changed = new Set<string>();
    const { complete } = await index.followFrom(
      account,
      state.cursor,
      (changes) => {
        for (const { message } of changes) changed.add(message.id);
      },
      { priority: 'background', signal: job.signal },
    );
    if (!complete) return null;
    const absent: string[] = [];
    for (let after: string | null = null; ;) {
      job.throwIfCancelled();
      const ids: string[] = await ledger.findIdsAfter(account.id, after, WRITTEN_AT_ONCE);
      const unlisted = await listings.findUnlisted(this.listingOf(state), ids);
      absent.push(...unlisted.filter((id) => !changed.has(id)));
      if (ids.length < WRITTEN_AT_ONCE) return absent;
      after = ids[ids.length - 1] as string;
    }
  }

  /** Asks for messages one by one. @returns those that the mailbox does not have */
  private async listGone(absent: readonly string[]): Promise<string[]> {
    const { account, job } = this;
    const found = new Set<string>();
    const options = { priority: 'background', signal: job.signal } as const;
    for await (const batch of this.services.index.refresh(account, absent, options)) {
      for (const { id } of batch) found.add(id);
    }
    return absent.filter((id) => !found.has(id));
  }

  private async write(state: ReconcileState, gone: readonly string[]): Promise<ReconcileResult | null> {
    const { account, job } = this;
    const { ledger, listings, replay, totals } = this.services;
    const listing = this.listingOf(state);
    const onTop = (before: (transaction: Transaction) => Promise<void>): Promise<boolean> =>
      replay.replayOver(account, { cursor: state.cursor }, { before });
    let messages = 0;
    for (let after: string | null = null; ;) {
      job.throwIfCancelled();
      const page = await listings.readPage(listing, after, WRITTEN_AT_ONCE);
      if (page.length > 0 && !(await onTop((transaction) => ledger.adopt(account, page, transaction)))) {
        return null;
      }
      messages += page.length;
      job.progress({ processed: page.length });
      if (page.length < WRITTEN_AT_ONCE) break;
      after = page[page.length - 1]?.id ?? null;
    }
    if (gone.length > 0 && !(await onTop((transaction) => ledger.remove(account, gone, transaction)))) {
      return null;
    }
    const providerOffset = await totals.measureOffset(account, job.signal);
    let exact = false;
    const finished = await replay.replayOver(
      account,
      { cursor: state.cursor },
      {
        after: async (transaction) => {
          const reconciled = { epoch: state.epoch, providerOffset };
          exact = await ledger.finishReconcile(account, reconciled, transaction);
        },
      },
    );
    if (!finished || !exact) return null;
    const result = { messages, gone: gone.length, exact };
    await job.checkpoint({ ...state, result });
    return this.finish(state, result);
  }

  private async finish(state: ReconcileState, result: ReconcileResult): Promise<ReconcileResult> {
    await this.services.listings.delete(this.listingOf(state));
    return result;
  }

  private listingOf({ run }: ReconcileState): ListingRun {
    return { accountId: this.account.id, run };
  }
}

const isRecent = ({ begunAt }: ReconcileState, now: Date): boolean =>
  now.getTime() - Date.parse(begunAt) < LONGEST_MS;
