import { useQuery } from '@tanstack/react-query';
import { op } from '../../../api/op';
import { shownLabel } from '../../../shared/labels/label-name';
import type { HeldListing } from './archived-mails';

/** The name of a label that mails are narrowed by; undefined while it is not known. */
export function useLabelName(listing: HeldListing, label: string | undefined): string | undefined {
  const { accountId, filter, until, total } = listing;
  const facets = useQuery({
    ...op('archive.getFacets', { accountId, ...filter, archived_until: until }),
    enabled: label !== undefined && total > 0,
  });
  const found = facets.data?.labels.find(({ id }) => id === label);
  return found && shownLabel(found);
}
