import type { JobContext } from '../../platform/jobs/job-definition';
import type {
  CallOptions,
  MailboxProvider,
  MessagePage,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import type { HistoryReplay } from './history-replay';
import type { MessageIndexRepository } from './message-index.repository';
import { countedLabels, isInvalidArgument } from './listed-labels';
import type { ListingRun, ListingsRepository } from './listings.repository';

const PAGE = 500;
/** Rows verified in one transaction. */
const VERIFIED_AT_ONCE = 5_000;
/**
 * Listings older than this are not gone on with: those of two days ago may be deleted, and messages that they lack would
 * count as gone.
 */
const LONGEST_MS = 24 * 60 * 60_000;
/** Stands for all messages. */
const EVERYTHING = '';

/** Survives the process. */
export interface ReconciliationState {
  /** Names its listings. */
  readonly run: string;
  /** ISO 8601. */
  readonly begunAt?: string;
  /** From before the first listing: history since then is replayed on top. */
  readonly cursor: string;
  /** Labels still to be listed, the present one first; absent before the first listing. */
  readonly labels?: readonly string[];
  /** The next page of the present label. */
  readonly pageToken?: string | undefined;
}

export interface ReconciliationServices {
  readonly provider: MailboxProvider;
  readonly messages: MessageIndexRepository;
  readonly listings: ListingsRepository;
  readonly replay: HistoryReplay;
}

/** Whether it can go on, or has to begin anew. */
export const isRecent = ({ begunAt }: ReconciliationState, now: Date): boolean =>
  begunAt !== undefined && now.getTime() - Date.parse(begunAt) < LONGEST_MS;

/**
 * Makes rows true again whose history was lost: lists which messages there are and which carry each label, which
 * costs a call per 500 of them instead of one each, and compares in the database. Rows of messages that are not
 * listed are deleted.
 */
export class Reconciliation {
  constructor(
    private readonly account: ProviderAccount,
    private readonly job: JobContext,
    private readonly services: ReconciliationServices,
  ) {}

  /**
   * @param epoch nothing is written when coverage was lost since
   * @param save called with the state needed to go on, and with undefined in the end
   */
  async run(
    begun: ReconciliationState,
    epoch: number,
    save: (state: ReconciliationState | undefined) => Promise<void>,
  ): Promise<void> {
    const listing = { accountId: this.account.id, run: begun.run };
    let state = begun.labels ? begun : { ...begun, labels: await this.allLabels() };
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

  private async allLabels(): Promise<string[]> {
    const labels = await countedLabels(this.services.provider, this.background);
    return [EVERYTHING, ...labels.map(({ id }) => id)];
  }

  private async listPage(
    listing: ListingRun,
    state: ReconciliationState,
    labels: readonly string[],
  ): Promise<ReconciliationState> {
    const [label = EVERYTHING, ...rest] = labels;
    const page = await this.page(label, state.pageToken);
    if (!page) return { ...state, labels: rest, pageToken: undefined };
    const ids = page.messages.map(({ id }) => id);
    await this.services.listings.add(listing, label, ids);
    return { ...state, labels: page.nextPageToken ? labels : rest, pageToken: page.nextPageToken };
  }

  /** undefined when the label is no longer there. */
  private async page(label: string, pageToken: string | undefined): Promise<MessagePage | undefined> {
    const request = { maxResults: PAGE, ...(label !== EVERYTHING && { labelIds: [label] }) };
    try {
      return await this.services.provider.listMessages(
        { ...request, ...(pageToken && { pageToken }) },
        this.background,
      );
    } catch (error) {
      if (!isInvalidArgument(error)) throw error;
      // The provider has forgotten the place: from the start, adding a page twice does no harm.
      if (pageToken) return this.page(label, undefined);
      if (label !== EVERYTHING) return undefined;
      throw error;
    }
  }

  private async verify(listing: ListingRun, from: { cursor: string; epoch: number }): Promise<void> {
    const { replay, messages } = this.services;
    for (;;) {
      this.job.throwIfCancelled();
      let verified = 0;
      const written = await replay.onTopOf(this.account, from, {
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
