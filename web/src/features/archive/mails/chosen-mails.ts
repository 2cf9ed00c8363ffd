import type { Schemas } from '@mailroom/sdk';
import type { ArchiveSelection } from './archive-selection';
import type { HeldListing } from './archived-mails';

/** Mails that something is done with. */
export interface ChosenMails {
  readonly count: number;
  readonly body: Pick<Schemas['DeleteMailsDto'], 'mailIds' | 'filter'>;
}

/** The chosen mails, or all that were found when none is chosen; without mails archived since. */
export function resolveChosenMails(listing: HeldListing, selection: ArchiveSelection | null): ChosenMails {
  if (selection !== null && selection.count > 0 && selection.ids !== null)
    return { count: selection.count, body: { mailIds: [...selection.ids] } };
  return {
    count: listing.total,
    body: { filter: { ...listing.filter, archived_until: listing.until } },
  };
}
