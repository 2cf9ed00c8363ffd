import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatShortDate } from '../../../i18n/format';
import { senderName, senderSearch } from '../../../ui/sender';
import { Wrapping } from '../../../ui/Wrapping';
import { DeleteNewsletters } from './DeleteNewsletters';
import type { Newsletter } from './newsletter';
import { Unsubscribe } from './Unsubscribe';

interface NewsletterItemProps {
  readonly accountId: string;
  readonly newsletter: Newsletter;
}

/** The newsletters of one sender. */
export function NewsletterItem({ accountId, newsletter }: NewsletterItemProps): ReactNode {
  const { t } = useTranslation();
  const [removal, setRemoval] = useState<'trash' | 'delete' | null>(null);
  const { sender, email, count, totalSizeBytes, lastDate } = newsletter;
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" align="start">
        <Stack gap={2} miw={0}>
          <Text fw={600}>{senderName(sender)}</Text>
          <Wrapping size="xs" c="dimmed">
            {[
              email,
              t('newsletters.messages', { count }),
              formatBytes(totalSizeBytes),
              t('newsletters.last', { date: formatShortDate(lastDate) }),
            ].join(' · ')}
          </Wrapping>
        </Stack>
        <Group gap="xs">
          <Unsubscribe newsletter={newsletter} />
          <Button
            size="xs"
            variant="default"
            aria-label={t('common.named', { what: t('newsletters.show'), name: email })}
            renderRoot={(root) => (
              <Link
                to="/a/$accountId/mailbox"
                params={{ accountId }}
                search={{ q: senderSearch(email) }}
                {...root}
              />
            )}
          >
            {t('newsletters.show')}
          </Button>
          {(['trash', 'delete'] as const).map((action) => (
            <Button
              key={action}
              size="xs"
              variant="default"
              aria-label={t('common.named', { what: t(`newsletters.${action}`), name: email })}
              onClick={() => setRemoval(action)}
            >
              {t(`newsletters.${action}`)}
            </Button>
          ))}
        </Group>
      </Group>
      <DeleteNewsletters
        accountId={accountId}
        newsletter={newsletter}
        action={removal}
        onClose={() => setRemoval(null)}
      />
    </Card>
  );
}
