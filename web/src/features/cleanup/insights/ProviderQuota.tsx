import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes, formatNumber, formatPercent, formatDateTime } from '../../../i18n/format';
import { ChartTable } from '../../../ui/ChartTable';
import { ColumnChart } from '../../../ui/ColumnChart';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';

type Quota = Schemas['QuotaResponse'];

/** The provider's limits for this mailbox, and their use. */
export function ProviderQuota({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const quota = useQuery(op('quota.getUsage', { accountId }));
  return (
    <Section title={t('insights.quota')}>
      <QueryView query={quota}>
        {({ limits, usage, hourlyBreakdown, topEndpoints }) => (
          <Stack gap="xs">
            <Text size="xs" c="dimmed">
              {t('insights.quotaText', limits)}
            </Text>
            <Usage usage={usage} />
            <Transfer limits={limits} usage={usage} />
            {usage.last24h.calls === 0 ? (
              <Text size="sm">{t('insights.unused')}</Text>
            ) : (
              <>
                <Hours hours={hourlyBreakdown} />
                <ChartTable
                  title={t('insights.endpoints')}
                  summary={t('insights.endpoints')}
                  heads={[t('insights.endpoint'), t('insights.unitsHead'), t('insights.callsHead')]}
                  rows={topEndpoints.map(({ endpoint, units, calls }) => ({
                    key: endpoint,
                    cells: [endpoint, formatNumber(units), formatNumber(calls)],
                  }))}
                />
              </>
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function Usage({ usage }: { readonly usage: Quota['usage'] }): ReactNode {
  const { t } = useTranslation();
  const share = usage.lastMinute.percentOfLimit / 100;
  const allowed = t('insights.ofLimit', { percent: formatPercent(share) });
  return (
    <>
      <SimpleGrid cols={3}>
        {(['lastMinute', 'lastHour', 'last24h'] as const).map((span) => (
          <div key={span}>
            <Text size="xs" c="dimmed">
              {t(`insights.${span}`)}
            </Text>
            <Text size="sm" fw={600}>
              {t('insights.units', { count: usage[span].units })}
            </Text>
            <Text size="xs">{t('insights.calls', { count: usage[span].calls })}</Text>
          </div>
        ))}
      </SimpleGrid>
      <Group gap="xs" wrap="nowrap">
        <Progress value={Math.min(100, share * 100)} size="sm" flex={1} aria-label={allowed} />
        <Text size="xs">{allowed}</Text>
      </Group>
    </>
  );
}

/** Bytes of the last day, of providers that limit those. */
function Transfer({ limits, usage }: Pick<Quota, 'limits' | 'usage'>): ReactNode {
  const { t } = useTranslation();
  const { receivedBytes, sentBytes } = usage.last24h;
  const { receivedBytesPerDay, sentBytesPerDay } = limits;
  if (receivedBytes === null || sentBytes === null) return null;
  const [received, sent] = [formatBytes(receivedBytes), formatBytes(sentBytes)];
  return (
    <Text size="xs">
      {receivedBytesPerDay === null || sentBytesPerDay === null
        ? t('insights.transfer', { received, sent })
        : t('insights.transferOf', {
            received,
            sent,
            mostReceived: formatBytes(receivedBytesPerDay),
            mostSent: formatBytes(sentBytesPerDay),
          })}
    </Text>
  );
}

function Hours({ hours }: { readonly hours: Quota['hourlyBreakdown'] }): ReactNode {
  const { t } = useTranslation();
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return null;
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('insights.hours')}
      </Text>
      <ColumnChart
        columns={hours.map(({ hour, units }) => ({
          key: hour,
          value: units,
          title: t('common.named', { what: formatDateTime(hour), name: formatNumber(units) }),
        }))}
        from={formatDateTime(first.hour)}
        to={formatDateTime(last.hour)}
      />
      <ChartTable
        title={t('insights.hours')}
        heads={[t('insights.hour'), t('insights.unitsHead'), t('insights.callsHead')]}
        rows={hours.toReversed().map(({ hour, units, calls }) => ({
          key: hour,
          cells: [formatDateTime(hour), formatNumber(units), formatNumber(calls)],
        }))}
      />
    </>
  );
}
