import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { ProblemView } from '../../../ui/ProblemView';
import type { Condition } from './rule-text';

interface RulePreviewProps {
  readonly accountId: string;
  /** Conditions as JSON; null while they are incomplete. */
  readonly conditions: string | null;
}

/** Number of messages that the conditions find at the moment, and a link to the search. */
export function RulePreview({ accountId, conditions }: RulePreviewProps): ReactNode {
  const { t } = useTranslation();
  const preview = useQuery({
    ...op('rules.preview', {
      accountId,
      body: { conditions: JSON.parse(conditions ?? '[]') as Condition[] },
    }),
    enabled: conditions !== null,
  });
  if (conditions === null)
    return (
      <Text size="sm" c="dimmed">
        {t('rules.unfinished')}
      </Text>
    );
  if (preview.error) return <ProblemView error={preview.error} onRetry={() => void preview.refetch()} />;
  if (!preview.data)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t('rules.counting')}
      </Text>
    );
  const { estimatedCount: count, starredCount: starred, importantCount: important, query } = preview.data;
  return (
    <Text size="sm" role="status">
      {t('rules.finds', { count })} {t('rules.marks', { starred, important })}{' '}
      <Anchor
        size="sm"
        underline="always"
        renderRoot={(root) => (
          <Link to="/a/$accountId/mailbox" params={{ accountId }} search={{ q: query }} {...root} />
        )}
      >
        {t('rules.showThem')}
      </Anchor>
    </Text>
  );
}
