import { Badge, NativeSelect, Stack, Table, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatFullDate, formatShortDate } from '../../../i18n/format';
import { failureText } from '../../../jobs/job-failure';
import { useJobTitle } from '../../../jobs/job-title';
import { EmptyState } from '../../../ui/EmptyState';
import { Pages } from '../../../ui/Pages';
import { QueryView } from '../../../ui/QueryView';
import { Wrapping } from '../../../ui/Wrapping';
import { OneLine } from '../../../ui/OneLine';

type Status = Schemas['JobStatus'];

const PER_PAGE = 50;
const STATUSES: readonly Status[] = ['active', 'pending', 'completed', 'failed', 'cancelled'];

/** The jobs of everybody, the newest first. */
export function AdminJobs(): ReactNode {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<Status | undefined>();
  const jobs = useQuery({
    ...op('admin.listJobs', { page, limit: PER_PAGE, ...(status && { status }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <NativeSelect
        label={t('admin.status')}
        maw={240}
        value={status ?? ''}
        onChange={(event) => {
          setStatus(STATUSES.find((one) => one === event.currentTarget.value));
          setPage(1);
        }}
        data={[
          { value: '', label: t('admin.allJobs') },
          ...STATUSES.map((value) => ({ value: value as string, label: t(`admin.statuses.${value}`) })),
        ]}
      />
      <QueryView
        query={jobs}
        empty={{ when: ({ total }) => total === 0, show: <EmptyState text={t('admin.noJobs')} /> }}
      >
        {({ jobs: found, total }) => (
          <>
            <Table.ScrollContainer minWidth={300} scrollAreaProps={{ tabIndex: 0 }}>
              <Table aria-label={t('admin.tabs.jobs')}>
                <Table.Tbody>
                  {found.map((job) => (
                    <JobRow key={job.id} job={job} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <Pages total={total} perPage={PER_PAGE} page={page} onChange={setPage} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function JobRow({ job }: { readonly job: Schemas['AdminJobResponse'] }): ReactNode {
  const { t } = useTranslation();
  const title = useJobTitle({ ...job, result: {} });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{title}</Text>
        <Wrapping size="xs" c="dimmed">
          {job.user_email}
        </Wrapping>
        {job.error !== null && (
          <Text size="xs" c="red">
            {failureText(job.error, job.error_code)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Badge variant="default" tt="none" miw="max-content">
          {t(`admin.statuses.${job.status}`)}
        </Badge>
      </Table.Td>
      <Table.Td ta="end">
        <OneLine size="xs" c="dimmed" title={formatFullDate(job.created_at)}>
          {formatShortDate(job.created_at)}
        </OneLine>
      </Table.Td>
    </Table.Tr>
  );
}
