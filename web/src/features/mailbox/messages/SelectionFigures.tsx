import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import type { FrozenSelection } from './use-frozen';

/** Figures of a frozen selection, by which a person decides. */
export function SelectionFigures({ selection }: { readonly selection: FrozenSelection }): ReactNode {
  const { t } = useTranslation();
  const { count, sizeBytes, oldest, newest } = selection;
  const marks = [
    ['unread', selection.unreadCount],
    ['starred', selection.starredCount],
    ['important', selection.importantCount],
  ] as const;
  const leftOut = [
    ['leftOutStarred', selection.leftOutStarredCount],
    ['leftOutImportant', selection.leftOutImportantCount],
  ] as const;
  const figures = [
    ...(sizeBytes === null ? [] : [formatBytes(sizeBytes)]),
    ...[...marks, ...leftOut].flatMap(([name, marked]) =>
      marked > 0 ? [t(`mailbox.figures.${name}`, { count: marked })] : [],
    ),
    ...(oldest === null || newest === null
      ? []
      : [t('mailbox.figures.dates', { oldest: formatShortDate(oldest), newest: formatShortDate(newest) })]),
  ];
  return (
    <Text size="sm" role="status">
      <Text span size="sm" fw={600}>
        {t('mailbox.chosen', { count })}
      </Text>
      {figures.map((figure) => (
        <Text key={figure} span size="sm" c="dimmed">
          {' '}
          · {figure}
        </Text>
      ))}
    </Text>
  );
}
