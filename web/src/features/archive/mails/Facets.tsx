import { Badge, NavLink, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatMonth, formatNumber } from '../../../i18n/format';
import { shownLabel } from '../../../shared/labels/label-name';
import { QueryView } from '../../../ui/QueryView';
import { senderName } from '../../../ui/sender';
import type { ArchiveConditions } from './archive-filter';
import type { HeldListing } from './archived-mails';

/** Number of values shown, the most frequent ones; words find the others. */
const SHOWN = { labels: 15, months: 24, senders: 10 };

interface FacetsProps {
  readonly listing: HeldListing;
  readonly conditions: ArchiveConditions;
  readonly onChange: (changes: ArchiveConditions) => void;
}

/** Labels, months and senders of what was found, to narrow it by them. */
export const Facets = memo(function Facets({ listing, conditions, onChange }: FacetsProps): ReactNode {
  const { t } = useTranslation();
  const { accountId, filter, until } = listing;
  const facets = useQuery(op('archive.getFacets', { accountId, ...filter, archived_until: until }));
  return (
    <Stack component="nav" gap="md" aria-label={t('archive.facets')}>
      <QueryView query={facets}>
        {({ labels, months, senders }) => (
          <>
            <Facet
              title={t('archive.labels')}
              name="label"
              entries={labels
                .slice(0, SHOWN.labels)
                .map(({ count, ...label }) => ({ id: label.id, name: shownLabel(label), count }))}
              {...{ conditions, onChange }}
            />
            <Facet
              title={t('archive.months')}
              name="month"
              entries={months
                .slice(0, SHOWN.months)
                .map(({ month, count }) => ({ id: month, name: formatMonth(month), count }))}
              {...{ conditions, onChange }}
            />
            <Facet
              title={t('archive.senders')}
              name="sender"
              entries={senders
                .slice(0, SHOWN.senders)
                .map(({ address, sender, count }) => ({ id: address, name: senderName(sender), count }))}
              {...{ conditions, onChange }}
            />
          </>
        )}
      </QueryView>
    </Stack>
  );
});

interface FacetProps extends Omit<FacetsProps, 'listing'> {
  readonly title: string;
  readonly name: 'label' | 'month' | 'sender';
  readonly entries: readonly { readonly id: string; readonly name: string; readonly count: number }[];
}

function Facet({ title, name, entries, conditions, onChange }: FacetProps): ReactNode {
  if (entries.length === 0) return null;
  return (
    <div>
      <Title order={2} size="h6" mb={4}>
        {title}
      </Title>
      {entries.map((entry) => {
        const isChosen = conditions[name] === entry.id;
        return (
          <NavLink
            key={entry.id}
            component="button"
            type="button"
            py={4}
            active={isChosen}
            aria-pressed={isChosen}
            onClick={() => onChange({ [name]: isChosen ? undefined : entry.id })}
            label={
              <Text size="sm" truncate title={entry.id}>
                {entry.name}
              </Text>
            }
            rightSection={
              <Badge variant="default" size="sm" tt="none">
                {formatNumber(entry.count)}
              </Badge>
            }
          />
        );
      })}
    </div>
  );
}
