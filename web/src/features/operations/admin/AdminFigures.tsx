import { Button, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { formatBytes, formatNumber } from '../../../i18n/format';
import { showStarted } from '../../../jobs/job-toast';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';

/** Figures of the installation, and a check of all files against their hashes. */
export function AdminFigures(): ReactNode {
  const { t } = useTranslation();
  const stats = useQuery(op('admin.getStats'));
  const check = useOperation('admin.checkIntegrity');
  return (
    <>
      <QueryView query={stats}>
        {({ users, mailboxAccounts, jobs, archives }) => (
          <SimpleGrid cols={{ base: 2, md: 5 }} component="dl" m={0}>
            {(
              [
                ['users', formatNumber(users)],
                ['mailboxes', formatNumber(mailboxAccounts)],
                ['mails', formatNumber(archives.totalMails)],
                ['bytes', formatBytes(archives.totalSizeBytes)],
                ['jobs', t('admin.jobFigures', { active: jobs.active, failed: jobs.failed })],
              ] as const
            ).map(([name, value]) => (
              <Paper key={name} withBorder p="sm">
                <Text component="dt" size="xs" c="dimmed">
                  {t(`admin.figures.${name}`)}
                </Text>
                <Text component="dd" m={0} fw={600}>
                  {value}
                </Text>
              </Paper>
            ))}
          </SimpleGrid>
        )}
      </QueryView>
      <Group>
        <Button
          size="xs"
          variant="default"
          loading={check.isPending}
          onClick={() =>
            check.mutate({}, { onSuccess: ({ jobId }) => showStarted(jobId, t('admin.checking')) })
          }
        >
          {t('admin.check')}
        </Button>
      </Group>
      {check.error && <ProblemView error={check.error} />}
    </>
  );
}
