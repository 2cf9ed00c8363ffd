import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from './job-cache';
import { type ItemFailure, itemFailureText, itemText } from './job-failure';

/** A longer list would not be read. */
const LISTED = 100;

/** The messages of an import that could not be read, each by its place and with the reason. */
export function DamagedMessages({ job }: { readonly job: Job }): ReactNode {
  const { t } = useTranslation();
  if (job.failed === 0) return null;
  const failures = (job.result?.['failures'] ?? []) as readonly ItemFailure[];
  const more = job.failed - Math.min(failures.length, LISTED);
  return (
    <details open={failures.length <= 5}>
      <Text component="summary" size="xs" c="red">
        {t('jobs.damaged', { count: job.failed })}
      </Text>
      <Box component="ul" m={0} ps="1.2em">
        {failures.slice(0, LISTED).map((failure) => (
          <Text key={failure.item} component="li" size="xs">
            {t('jobs.damage', { item: itemText(failure.item), reason: itemFailureText(failure) })}
          </Text>
        ))}
        {more > 0 && (
          <Text component="li" size="xs">
            {t('jobs.moreDamaged', { count: more })}
          </Text>
        )}
      </Box>
    </details>
  );
}
