import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { useJobs } from '../../../jobs/job-cache';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { PlainList } from '../../../ui/PlainList';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { NewsletterItem } from './NewsletterItem';

/** Largest number of senders that the service lists. */
const LISTED = 500;

/** Senders of newsletters with the number of their messages, and the ways to unsubscribe or delete. */
export function NewslettersPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/newsletters' });
  const newsletters = useQuery(op('newsletters.list', { accountId, limit: LISTED }));
  return (
    <Page title={t('newsletters.title')}>
      <Text c="dimmed">{t('newsletters.intro')}</Text>
      <Scan accountId={accountId} />
      <QueryView
        query={newsletters}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('newsletters.none')} /> }}
      >
        {(all) => (
          <>
            <Text size="sm" c="dimmed">
              {t('newsletters.found', { count: all.length })}
            </Text>
            <PlainList gap="sm" aria-label={t('newsletters.title')}>
              {all.map((newsletter) => (
                <NewsletterItem key={newsletter.email} accountId={accountId} newsletter={newsletter} />
              ))}
            </PlainList>
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** Reads the headers of the whole mailbox once; afterwards new mail is known as it arrives. */
function Scan({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const scan = useOperation('newsletters.scan');
  const isRunning = useJobs().data?.some(
    (job) =>
      job.type === 'scan_unsubscribe' && job.mailbox_account_id === accountId && job.completed_at === null,
  );
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={scan.isPending}
          disabled={isRunning === true}
          onClick={() =>
            scan.mutate({ accountId }, { onSuccess: () => void invalidate(client, ['jobs.list']) })
          }
        >
          {isRunning ? t('newsletters.scanning') : t('newsletters.scan')}
        </Button>
      </Group>
      {scan.error && <ProblemView error={scan.error} />}
    </>
  );
}
