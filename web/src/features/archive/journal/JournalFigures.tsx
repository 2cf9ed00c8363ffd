import { Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatFullDate } from '../../../i18n/format';

/** Counts of what came to the address. */
export function JournalFigures({ journal }: { readonly journal: Schemas['JournalResponse'] }): ReactNode {
  const { t } = useTranslation();
  const { received, receivedBytes, duplicates, refused, lastReceivedAt, lastRefusedAt, lastRefusal } =
    journal;
  const facts = [
    ...(received > 0 ? [t('journal.received', { count: received, size: formatBytes(receivedBytes) })] : []),
    ...(duplicates > 0 ? [t('journal.duplicates', { count: duplicates })] : []),
    ...(lastReceivedAt === null ? [] : [t('journal.last', { time: formatFullDate(lastReceivedAt) })]),
  ];
  return (
    <>
      <Text size="sm">{facts.length === 0 ? t('journal.nothing') : facts.join(' · ')}</Text>
      {lastRefusedAt !== null && lastRefusal !== null && (
        <Text size="sm">
          {t('journal.refused', {
            count: refused,
            time: formatFullDate(lastRefusedAt),
            reason: t(`journal.refusals.${lastRefusal}`),
          })}
        </Text>
      )}
    </>
  );
}
