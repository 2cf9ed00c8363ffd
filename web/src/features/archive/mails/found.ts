import type { ArchiveConditions } from './archive-filter';
import type { HeldListing } from './archived-mails';

/** Props of views of a search result. */
export interface FoundProps {
  /** Names the list, to come back to where it was left. */
  readonly place: string;
  readonly listing: HeldListing;
  readonly conditions: ArchiveConditions;
  readonly onConditions: (changes: ArchiveConditions) => void;
}
