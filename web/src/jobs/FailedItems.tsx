import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from './job-cache';
import { failureReasons } from './outcome';

/** A longer list would not be read. */
const REASONS = 5;

/** Number of items of a job that failed and, once it has ended, the reasons. */
export function FailedItems({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  if (job.failed === 0) return null;
  const reasons = failureReasons(job);
  const count = t('jobs.failed', { count: job.failed });
  if (reasons.length === 0)
    return (
      <Text size="xs" c="red">
        {count}
      </Text>
    );
  return (
    <details>
      <Text component="summary" size="xs" c="red">
        {count}. {t('jobs.reasons')}
      </Text>
      <Box component="ul" m={0} ps="1.2em">
        {reasons.slice(0, REASONS).map((reason) => (
          <Text key={reason.reason} component="li" size="xs">
            {t('jobs.reason', { ...reason })}
          </Text>
        ))}
        {reasons.length > REASONS && (
          <Text component="li" size="xs">
            {t('jobs.moreReasons')}
          </Text>
        )}
      </Box>
    </details>
  );
}
