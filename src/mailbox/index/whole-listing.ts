import type { JobContext } from '../../platform/jobs/job-definition';
import type { CallOptions, MailboxProvider, MessagePage } from '../../providers/port/mailbox-provider.port';
import { isInvalidArgument } from './listed-labels';
import type { ListingRun, ListingsRepository } from './listings.repository';

const PAGE = 500;
/** Stands for all messages. */
const EVERYTHING = '';

/** Progress of a listing; it is stored. */
export interface ListingState {
  /** Labels still to be listed, the present one first; absent before the first page. */
  readonly labels?: readonly string[];
  /** The next page of the present label. */
  readonly pageToken?: string | undefined;
  /** Messages so far. */
  readonly messages: number;
}

/** Lists a mailbox to its end, spam and trash included: which messages there are, and which carry each label. */
export class WholeListing {
  constructor(
    private readonly provider: MailboxProvider,
    private readonly listings: ListingsRepository,
    private readonly listing: ListingRun,
    private readonly job: JobContext,
  ) {}

  /** @param save called after every page @returns where it ended */
  async complete(begun: ListingState, save: (state: ListingState) => Promise<void>): Promise<ListingState> {
    let state = begun.labels ? begun : { ...begun, labels: await this.allLabels() };
    while (state.labels && state.labels.length > 0) {
      this.job.throwIfCancelled();
      state = await this.nextPage(state, state.labels);
      await save(state);
    }
    return state;
  }

  private get options(): CallOptions {
    return { priority: 'background', signal: this.job.signal };
  }

  private async allLabels(): Promise<string[]> {
    const labels = await this.provider.listLabels(this.options);
    return [EVERYTHING, ...labels.map(({ id }) => id)];
  }

  private async nextPage(state: ListingState, labels: readonly string[]): Promise<ListingState> {
    const [label = EVERYTHING, ...rest] = labels;
    const page = await this.page(label, state.pageToken);
    // The label is no longer there.
    if (!page) return { ...state, labels: rest, pageToken: undefined };
    const ids = page.messages.map(({ id }) => id);
    await this.listings.add(this.listing, label, ids);
    const messages = state.messages + (label === EVERYTHING ? ids.length : 0);
    return { messages, labels: page.nextPageToken ? labels : rest, pageToken: page.nextPageToken };
  }

  private async page(label: string, pageToken: string | undefined): Promise<MessagePage | undefined> {
    const request = {
      maxResults: PAGE,
      includeSpamTrash: true,
      ...(label !== EVERYTHING && { labelIds: [label] }),
    };
    try {
      return await this.provider.listMessages({ ...request, ...(pageToken && { pageToken }) }, this.options);
    } catch (error) {
      if (!isInvalidArgument(error)) throw error;
      // The provider has forgotten the place: from the start, adding a page twice does no harm.
      if (pageToken) return this.page(label, undefined);
      if (label !== EVERYTHING) return undefined;
      throw error;
    }
  }
}
