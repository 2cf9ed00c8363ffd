import { Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatNumber, formatShortDate } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { QueryView } from '../../../ui/QueryView';
import { type IndexClass, type IndexKind, knownClass } from './index-classes';
import { IndexCounts } from './IndexCounts';
import { IndexItems } from './IndexItems';

const HERE = '/signed-in/a/$accountId/index';
/** Numbers change while mail is read in the background. */
const REFRESH_MS = 15_000;

/** Shows what a search of an archive can find, and what it cannot, and reads it again. */
export function IndexPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: HERE });
  const { files, page = 1, ...search } = useSearch({ from: HERE });
  const state = knownClass(search.state);
  const navigate = useNavigate({ from: '/a/$accountId/index' });
  const ledger = useQuery({ ...op('archive.getIndex', { accountId }), refetchInterval: REFRESH_MS });
  const kind: IndexKind = files ? 'attachment' : 'mail';
  const show = (shown: IndexKind, name: IndexClass | undefined): void =>
    void navigate({
      search: { files: shown === 'attachment' || undefined, state: name },
      replace: true,
      resetScroll: false,
    });
  return (
    <Page title={t('search.index.title')}>
      <Text size="sm">{t('search.index.text')}</Text>
      <QueryView
        query={ledger}
        empty={{
          when: ({ mails }) => mails.total === 0,
          show: <EmptyState text={t('search.index.empty')} />,
        }}
      >
        {({ mails, attachments, check }) => (
          <Stack>
            <IndexCounts
              mails={mails}
              attachments={attachments}
              shown={state && { kind, class: state }}
              onShow={show}
            />
            <LatestCheck check={check} />
            {state && (
              <IndexItems
                key={`${kind} ${state}`}
                accountId={accountId}
                kind={kind}
                name={state}
                page={page}
                reasons={(files ? attachments : mails).reasons}
                onPage={(next) =>
                  void navigate({
                    search: (before) => ({ ...before, page: next === 1 ? undefined : next }),
                  })
                }
              />
            )}
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

/** Says when a sample of the archive was searched for, and whether it was found. */
function LatestCheck({ check }: { readonly check: Schemas['IndexCheckResponse'] | null }): ReactNode {
  const { t } = useTranslation();
  if (check?.ended_at == null || check.mails === 0) return null;
  const values = {
    date: formatShortDate(check.ended_at),
    mails: formatNumber(check.mails),
    files: formatNumber(check.attachments),
  };
  return (
    <Text size="xs" c="dimmed">
      {check.mismatches === 0
        ? t('search.index.check.fine', values)
        : t('search.index.check.mismatches', { ...values, count: check.mismatches })}
    </Text>
  );
}
