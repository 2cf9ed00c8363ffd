import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { op } from '../../../api/op';
import { useJobs } from '../../../jobs/job-cache';
import { JobItem } from '../../../jobs/JobItem';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { JOB_KINDS, JOB_STATUSES } from './job-filters';

const STEP = 50;
/** Largest number of jobs that the service lists. */
const MOST = 500;

/** All jobs of a person: what runs, what came of the others, and what can be done about it. */
export function JobsPage(): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  const { status, type, account } = useSearch({ from: '/signed-in/jobs' });
  const navigate = useNavigate({ from: '/jobs' });
  const [limit, setLimit] = useState(STEP);
  const live = useJobs().data;
  const jobs = useQuery({
    ...op('jobs.list', {
      limit,
      ...(status && { status }),
      ...(type && { type }),
      ...(account && { accountId: account }),
    }),
    placeholderData: keepPreviousData,
  });
  // A job that has begun, or ended, may belong to what is shown, or no longer.
  const changes = live?.map((job) => `${job.id} ${job.status}`).join();
  const { refetch } = jobs;
  useEffect(() => void refetch(), [changes, refetch]);
  const narrow = (change: { status?: string; type?: string; account?: string }): void => {
    setLimit(STEP);
    void navigate({ search: (before) => ({ ...before, ...change }) as typeof before, replace: true });
  };
  return (
    <Page title={t('jobs.title')}>
      <Group align="end">
        <NativeSelect
          label={t('jobList.filters.status')}
          value={status ?? ''}
          onChange={(event) => narrow({ status: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('jobList.filters.any') },
            ...JOB_STATUSES.map((value) => ({ value: value as string, label: t(`jobs.status.${value}`) })),
          ]}
        />
        <NativeSelect
          label={t('jobList.filters.kind')}
          value={type ?? ''}
          onChange={(event) => narrow({ type: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('jobList.filters.any') },
            ...JOB_KINDS.map((value) => ({ value: value as string, label: t(`jobs.kinds.${value}`) })),
          ]}
        />
        {mailboxAccounts.length > 1 && (
          <NativeSelect
            label={t('jobList.filters.mailbox')}
            value={account ?? ''}
            onChange={(event) => narrow({ account: event.currentTarget.value || undefined })}
            data={[
              { value: '', label: t('jobList.filters.any') },
              ...mailboxAccounts.map(({ id, email }) => ({ value: id, label: email })),
            ]}
          />
        )}
      </Group>
      <QueryView
        query={jobs}
        empty={{
          when: (list) => list.length === 0,
          show: <EmptyState text={t(status || type || account ? 'jobList.noneSuch' : 'jobs.empty')} />,
        }}
      >
        {(list) => (
          <Stack>
            <PlainList gap="lg" maw={720} aria-label={t('jobs.title')}>
              {list.map((job) => (
                // Events are newer than the list.
                <JobItem key={job.id} job={live?.find(({ id }) => id === job.id) ?? job} />
              ))}
            </PlainList>
            {list.length >= limit &&
              (limit < MOST ? (
                <Group>
                  <Button
                    variant="default"
                    size="xs"
                    loading={jobs.isPlaceholderData}
                    onClick={() => setLimit(Math.min(MOST, limit + STEP))}
                  >
                    {t('jobList.older')}
                  </Button>
                </Group>
              ) : (
                <Text size="sm" c="dimmed">
                  {t('jobList.mostShown', { count: MOST })}
                </Text>
              ))}
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}
