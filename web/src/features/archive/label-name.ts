import { useQuery } from '@tanstack/react-query';
import { hasText, i18next } from '../../i18n';
import type { archive } from '../../i18n/en/archive';
import { op } from '../../api/op';
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

/** What people call a label: those of the mail provider itself are words of machines. */
export const shownLabel = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  isOfProvider(id) ? i18next.t(`archive.providerLabels.${id}`) : name;

const isOfProvider = (id: string): id is keyof typeof archive.providerLabels =>
  hasText(`archive.providerLabels.${id}`);
