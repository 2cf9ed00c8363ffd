import type { JobContext } from '../../platform/jobs/job-definition';
import type {
  CallOptions,
  MailboxProvider,
  MessagePage,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import type { HistoryReplay } from './history-replay';
import type { MessageIndexRepository } from './message-index.repository';
import { listCountedLabels, isInvalidArgument } from './listed-labels';
import type { ListingRun, ListingsRepository } from './listings.repository';

const PAGE = 500;
/** Rows verified in one transaction. */
const VERIFIED_AT_ONCE = 5_000;
/**
 * Age up to which a listing is continued, in milliseconds. Rows of two days ago may be deleted, and messages missing
 * from a listing would count as gone.
 */
const LONGEST_MS = 24 * 60 * 60_000;
/** Label that stands for all messages. */
const EVERYTHING = '';

/** State in the checkpoint, with which another process can go on. */
export interface ReconciliationState {
  /** Name of the run in its listings. */
  readonly run: string;
  /** Start of the run, ISO 8601. */
  readonly begunAt?: string;
  /** Cursor from before the first listing, from which the history is replayed on top. */
  readonly cursor: string;
  /** Labels still to be listed, the present one first; absent before the first listing. */
  readonly labels?: readonly string[];
  /** Token of the next page of the present label. */
  readonly pageToken?: string | undefined;
}

export interface ReconciliationServices {
  readonly provider: MailboxProvider;
  readonly messages: MessageIndexRepository;
  readonly listings: ListingsRepository;
  readonly replay: HistoryReplay;
}

/** Whether a reconciliation can be continued and need not begin anew. */
export const isRecent = ({ begunAt }: ReconciliationState, now: Date): boolean =>
  begunAt !== undefined && now.getTime() - Date.parse(begunAt) < LONGEST_MS;

/**
 * Corrects rows whose history was lost. It lists all messages and those of each label, which costs a call per 500 of
 * them instead of one each, and compares the listings in the database. Rows of messages that are not listed are
 * deleted.
 */
export class Reconciliation {
  constructor(
    private readonly account: ProviderAccount,
    private readonly job: JobContext,
    private readonly services: ReconciliationServices,
  ) {}

  /**
   * @param epoch epoch of the coverage; nothing is written when it was lost since
   * @param save called with the state that is needed to go on, and with undefined at the end
   */
  async run(
    begun: ReconciliationState,
    epoch: number,
    save: (state: ReconciliationState | undefined) => Promise<void>,
  ): Promise<void> {
    const listing = { accountId: this.account.id, run: begun.run };
    let state = begun.labels ? begun : { ...begun, labels: await this.listLabels() };
    while (state.labels && state.labels.length > 0) {
      this.job.throwIfCancelled();
      state = await this.listPage(listing, state, state.labels);
      await save(state);
    }
    await this.verify(listing, { cursor: state.cursor, epoch });
    await this.services.listings.delete(listing);
    await save(undefined);
  }

  private get background(): CallOptions {
    return { priority: 'background', signal: this.job.signal };
  }

  private async listLabels(): Promise<string[]> {
    const labels = await listCountedLabels(this.services.provider, this.background);
    return [EVERYTHING, ...labels.map(({ id }) => id)];
  }

  private async listPage(
    listing: ListingRun,
    state: ReconciliationState,
    labels: readonly string[],
  ): Promise<ReconciliationState> {
    const [label = EVERYTHING, ...rest] = labels;
    const page = await this.readPage(label, state.pageToken);
    if (!page) return { ...state, labels: rest, pageToken: undefined };
    const ids = page.messages.map(({ id }) => id);
    await this.services.listings.add(listing, label, ids);
    return { ...state, labels: page.nextPageToken ? labels : rest, pageToken: page.nextPageToken };
  }

  /** Reads a page of a label; undefined when the label no longer exists. */
  private async readPage(label: string, pageToken: string | undefined): Promise<MessagePage | undefined> {
    const request = { maxResults: PAGE, ...(label !== EVERYTHING && { labelIds: [label] }) };
    try {
      return await this.services.provider.listMessages(
        { ...request, ...(pageToken && { pageToken }) },
        this.background,
      );
    } catch (error) {
      if (!isInvalidArgument(error)) throw error;
      // The provider has forgotten the page token, so the listing starts again. Adding a page twice is harmless.
      if (pageToken) return this.readPage(label, undefined);
      if (label !== EVERYTHING) return undefined;
      throw error;
    }
  }

  private async verify(listing: ListingRun, from: { cursor: string; epoch: number }): Promise<void> {
    const { replay, messages } = this.services;
    for (;;) {
      this.job.throwIfCancelled();
      let verified = 0;
      const written = await replay.replayOver(this.account, from, {
        before: async (transaction) => {
          verified = await messages.verifyListed(listing, VERIFIED_AT_ONCE, transaction);
        },
        after: async (transaction) => {
          if (verified < VERIFIED_AT_ONCE) await messages.deleteStale(this.account.id, transaction);
        },
      });
      if (!written || verified < VERIFIED_AT_ONCE) return;
    }
  }
}
