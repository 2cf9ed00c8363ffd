import { Badge, Group, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me';
import { formatFullDate, formatShortDate } from '../../i18n/format';
import { actionText, factTexts } from './audit-text';
import { PlainList } from '../../ui/PlainList';
import { Wrapping } from '../../ui/Wrapping';

type Entry = Schemas['AuditEntryResponse'] &
  Partial<Pick<Schemas['AdminAuditEntryResponse'], 'actor_email' | 'user_email'>>;

/** Entries of the audit log. The title of an action is its name in exports and webhooks. */
export function AuditEntries({ entries }: { readonly entries: readonly Entry[] }): ReactNode {
  const { t } = useTranslation();
  const { user } = useMe();
  return (
    <PlainList gap="xs" aria-label={t('audit.title')}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <Group gap="xs">
            <Text size="sm" fw={600} title={entry.action}>
              {actionText(entry.action)}
            </Text>
            <Badge
              variant="outline"
              color={entry.outcome === 'success' ? 'gray' : 'red'}
              tt="none"
              c="var(--mantine-color-text)"
            >
              {t(`audit.outcomes.${entry.outcome}`)}
            </Badge>
            <Text size="xs" c="dimmed" title={formatFullDate(entry.occurred_at)}>
              {formatShortDate(entry.occurred_at)}
            </Text>
          </Group>
          <Wrapping size="xs" c="dimmed">
            {[
              t(`audit.actors.${isOwnAct(entry, user.id) ? 'you' : entry.actor_kind}`),
              ...(entry.actor_email ? [entry.actor_email] : []),
              ...(entry.user_email && entry.user_email !== entry.actor_email
                ? [`→ ${entry.user_email}`]
                : []),
              ...(entry.address === null ? [] : [t('audit.from', { address: entry.address })]),
            ].join(' · ')}
          </Wrapping>
          <Wrapping size="xs">{factTexts(entry.details).join(' · ')}</Wrapping>
        </li>
      ))}
    </PlainList>
  );
}

const isOwnAct = ({ actor_kind: kind, actor_id: actor }: Entry, userId: string): boolean =>
  kind === 'user' && actor === userId;
