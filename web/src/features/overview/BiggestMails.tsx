import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatFullDate, formatShortDate } from '../../i18n/format';

const SHOWN = 10;

/** The messages that take most of the space. */
export function BiggestMails({
  mails,
}: {
  readonly mails: readonly Schemas['BigMailResponse'][];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h4" mb="sm">
        {t('overview.biggest')}
      </Title>
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {mails.slice(0, SHOWN).map(({ id, subject, from, date, sizeEstimate }) => (
          <li key={id}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" truncate title={subject}>
                {subject}
              </Text>
              <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                {formatBytes(sizeEstimate)}
              </Text>
            </Group>
            <Text size="xs" c="dimmed" truncate title={formatFullDate(date)}>
              {from} · {formatShortDate(date)}
            </Text>
          </li>
        ))}
      </Stack>
    </Paper>
  );
}
