import { Box, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../i18n/format';
import { ChartTable } from '../../../ui/ChartTable';
import { EmptyState } from '../../../ui/EmptyState';
import { shownLabel } from '../../../shared/labels/label-name';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { useMailboxStats } from './mailbox-stats';

const SHOWN = 10;

const named = <Entry extends { readonly label: string }>(
  entries: readonly Entry[],
): (Entry & { readonly name: string })[] =>
  entries.map((entry) => ({ ...entry, name: shownLabel({ id: entry.label, name: entry.label }) }));

/** Number of messages with each label. */
export function Labels({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const title = t('insights.labels');
  return (
    <Section title={title}>
      <QueryView
        query={useMailboxStats(accountId)}
        empty={{
          when: ({ byLabel }) => byLabel.length === 0,
          show: <EmptyState text={t('insights.noLabels')} />,
        }}
      >
        {({ byLabel, totalMessages }) => (
          <Stack gap="xs">
            <PlainList gap="xs" component="ol">
              {named(byLabel)
                .slice(0, SHOWN)
                .map(({ label, name, count }) => (
                  <Box key={label} component="li" miw={0}>
                    <Group justify="space-between" wrap="nowrap" gap="xs">
                      <Text size="sm" truncate title={name}>
                        {name}
                      </Text>
                      <Text size="sm">{formatNumber(count)}</Text>
                    </Group>
                    <Progress value={(count / Math.max(1, totalMessages)) * 100} size="xs" aria-hidden />
                  </Box>
                ))}
            </PlainList>
            <ChartTable
              title={title}
              heads={[t('insights.label'), t('insights.messages')]}
              rows={named(byLabel).map(({ label, name, count }) => ({
                key: label,
                cells: [name, formatNumber(count)],
              }))}
            />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
