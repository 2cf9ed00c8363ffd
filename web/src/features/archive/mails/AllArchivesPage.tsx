import { Card, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { formatBytes, formatFullDate, formatNumber, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { Pages } from '../../../ui/Pages';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { SearchField } from '../../../ui/SearchField';
import { senderName } from '../../../ui/sender';
import { Wrapping, WrappingLink } from '../../../ui/Wrapping';
import { conditionsIn, filterOf, hasConditions, type ArchiveConditions } from './archive-filter';
import { isDateDoubtful } from './archive-dates';
import { FilterChips } from './FilterChips';
import { OneLine } from '../../../ui/OneLine';

const PER_PAGE = 50;
/** The service lists no more of several archives. */
const MOST = 1_000;

/** A search in the archives of all mailboxes; each mail leads to the archive that it is in. */
export function AllArchivesPage(): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const search = useSearch({ from: '/signed-in/search' });
  const navigate = useNavigate({ from: '/search' });
  const conditions = conditionsIn(search);
  const { page = 1 } = search;
  const found = useQuery({
    ...op('archive.search', { ...filterOf(conditions), page, limit: PER_PAGE }),
    placeholderData: keepPreviousData,
  });
  const narrow = (changes: ArchiveConditions): void =>
    void navigate({ search: (before) => ({ ...before, ...changes, page: undefined }) });
  const mailboxOf = (accountId: string): string =>
    mailboxAccounts.find(({ id }) => id === accountId)?.email ?? '';
  return (
    <Page title={t('archive.everywhere')}>
      <SearchField
        label={t('archive.everywhereSearch')}
        placeholder={t('archive.searchPlaceholder')}
        help={t('archive.searchHelp')}
        value={search.q ?? ''}
        onSearch={(next) => narrow({ q: next || undefined })}
      />
      <FilterChips conditions={conditions} labelName={undefined} onChange={narrow} />
      <QueryView
        query={found}
        empty={{
          when: ({ total }) => total === 0,
          show: <EmptyState text={t(hasConditions(conditions) ? 'archive.empty' : 'archive.emptyArchive')} />,
        }}
      >
        {({ mails, total }) => (
          <Stack opacity={found.isPlaceholderData ? 0.5 : undefined}>
            <Text size="sm">
              {t('archive.found', { count: total })}
              {total > MOST && ` · ${t('archive.everywhereMost', { most: formatNumber(MOST) })}`}
            </Text>
            <PlainList gap="xs" aria-label={t('archive.list')}>
              {mails.map((mail) => (
                <Card key={mail.id} withBorder component="li" padding="sm">
                  <Group justify="space-between" wrap="nowrap" align="start">
                    <WrappingLink
                      size="sm"
                      renderRoot={(root) => (
                        <Link
                          to="/a/$accountId/archive"
                          params={{ accountId: mail.mailbox_account_id }}
                          search={{ ...conditions, mail: mail.id }}
                          {...root}
                        />
                      )}
                    >
                      {mail.subject || t('mail.noSubject')}
                    </WrappingLink>
                    <OneLine size="xs" c="dimmed" title={formatFullDate(mail.date)}>
                      {formatShortDate(mail.date)}
                      {isDateDoubtful(mail) && ` (${t('mail.dateDoubtful')})`}
                    </OneLine>
                  </Group>
                  <Wrapping size="xs" c="dimmed">
                    {[
                      senderName(mail.sender),
                      mailboxOf(mail.mailbox_account_id),
                      formatBytes(mail.size_bytes),
                    ]
                      .filter((fact) => fact !== '')
                      .join(' · ')}
                  </Wrapping>
                </Card>
              ))}
            </PlainList>
            <Pages
              total={Math.min(total, MOST)}
              perPage={PER_PAGE}
              page={page}
              onChange={(next) =>
                void navigate({ search: (before) => ({ ...before, page: next > 1 ? next : undefined }) })
              }
            />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
