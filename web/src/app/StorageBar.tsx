import { Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../i18n/format';
import { useMe } from '../api/me';

const WARNING_PERCENT = 80;

/** Share of the space for archives that is used. */
export function StorageBar(): ReactNode {
  const { t } = useTranslation();
  const { user, storageUsedBytes: used } = useMe();
  const quota = user.storage_quota_bytes;
  const percent = quota === 0 ? 100 : Math.min(100, (used / quota) * 100);
  return (
    <Stack gap={4}>
      <Progress.Root size="sm">
        <Progress.Section
          value={percent}
          color={percent >= WARNING_PERCENT ? 'orange' : undefined}
          aria-label={t('shell.storageLabel')}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {t('shell.storage', { used: formatBytes(used), quota: formatBytes(quota) })}
      </Text>
    </Stack>
  );
}
