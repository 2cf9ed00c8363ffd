import { Injectable } from '@nestjs/common';
import type { JobContext } from '../../platform/jobs/job-definition';
import type { MailboxProvider } from '../../providers/port/mailbox-provider.port';
import { type ListingRun, ListingsRepository } from './listings.repository';
import { type ListingState, WholeListing } from './whole-listing';

export type { ListingRun } from './listings.repository';
export type { ListingState } from './whole-listing';

/** Lists whole mailboxes, and keeps the listings until they have been compared with what is known. */
@Injectable()
export class WholeListings {
  constructor(private readonly listings: ListingsRepository) {}

  /**
   * Lists a mailbox to its end, or goes on from an earlier state.
   * @param save called after every page
   * @returns the state at the end
   */
  complete(
    provider: MailboxProvider,
    listing: ListingRun,
    job: JobContext,
    begun: ListingState,
    save: (state: ListingState) => Promise<void>,
  ): Promise<ListingState> {
    return new WholeListing(provider, this.listings, listing, job).complete(begun, save);
  }

  /**
   * Lists messages of the run in the order of their ids, with the labels under which they were listed.
   * @param after id after which the page begins; null: from the first
   */
  readPage(
    listing: ListingRun,
    after: string | null,
    limit: number,
  ): Promise<{ id: string; labelIds: string[] }[]> {
    return this.listings.readPage(listing, after, limit);
  }

  /** Returns those of the messages that the run has not listed. */
  findUnlisted(listing: ListingRun, ids: readonly string[]): Promise<string[]> {
    return this.listings.findUnlisted(listing, ids);
  }

  /** Deletes the run's listing, and those of runs that never ended. */
  delete(listing: ListingRun): Promise<void> {
    return this.listings.delete(listing);
  }
}
