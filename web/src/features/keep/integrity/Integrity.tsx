import { Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { WrappingLink } from '../../../ui/Wrapping';

type Figures = Schemas['ArchiveIntegrityResponse'];

/** Whether the files of the archive are still what was archived: each is read again within a week. */
export function Integrity({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const integrity = useQuery(op('archive.getIntegrity', { accountId }));
  return (
    <Section title={t('keep.integrity.title')}>
      <QueryView
        query={integrity}
        empty={{
          when: ({ total }) => total === 0,
          show: <EmptyState text={t('keep.integrity.none')} />,
        }}
      >
        {(figures) => (
          <Stack gap="xs">
            <Text size="sm">
              {t('keep.integrity.checked', { count: figures.total, checked: figures.checkedThisWeek })}{' '}
              {figures.lastCheckedAt === null ? (
                t('keep.integrity.never')
              ) : (
                <span title={formatFullDate(figures.lastCheckedAt)}>
                  {t('keep.integrity.last', { time: formatShortDate(figures.lastCheckedAt) })}
                </span>
              )}
            </Text>
            <Damaged accountId={accountId} figures={figures} />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function Damaged({
  accountId,
  figures: { damaged, damagedCount, lastCheckedAt },
}: {
  readonly accountId: string;
  readonly figures: Figures;
}): ReactNode {
  const { t } = useTranslation();
  if (damagedCount === 0) return lastCheckedAt !== null && <Text size="sm">{t('keep.integrity.whole')}</Text>;
  return (
    <>
      <Text size="sm" fw={600}>
        {t('keep.integrity.damaged', { count: damagedCount })}
      </Text>
      <PlainList gap="xs">
        {damaged.map(({ mailId, kind, subject, foundAt }) => (
          <li key={mailId}>
            <WrappingLink
              size="sm"
              renderRoot={(root) => (
                <Link to="/a/$accountId/archive" params={{ accountId }} search={{ mail: mailId }} {...root} />
              )}
            >
              {subject || t('mail.noSubject')}
            </WrappingLink>
            <Text size="xs" c="dimmed">
              {[t(`keep.integrity.kinds.${kind}`), formatShortDate(foundAt)].join(' · ')}
            </Text>
          </li>
        ))}
      </PlainList>
      {damagedCount > damaged.length && (
        <Text size="xs" c="dimmed">
          {t('keep.integrity.more', { count: damagedCount - damaged.length })}
        </Text>
      )}
    </>
  );
}
