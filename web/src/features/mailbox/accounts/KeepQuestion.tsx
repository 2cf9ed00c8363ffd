import { Button, Card, Group, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';

/** The next step with a mailbox that was just connected: to keep everything of it, or to look at it first. */
export function KeepQuestion({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const archiving = useQuery(op('archiving.get', { accountId }));
  const update = useOperation('archiving.update');
  if (archiving.data === undefined) return null;
  const isKept = archiving.data.mode === 'keep';
  const keep = (): void =>
    update.mutate(
      { accountId, body: { mode: 'keep' } },
      {
        onSuccess: () => {
          void invalidate(client, ['archiving.get', 'coverage.get']);
          void navigate({ to: '/a/$accountId/overview', params: { accountId } });
        },
      },
    );
  const look = (text: string): ReactNode => (
    <Button
      variant={isKept ? 'filled' : 'default'}
      renderRoot={(root) => <Link to="/a/$accountId/overview" params={{ accountId }} {...root} />}
    >
      {text}
    </Button>
  );
  if (isKept) return <Group>{look(t('mailboxes.keep.look'))}</Group>;
  return (
    <Card withBorder component="section" aria-label={t('mailboxes.keep.title')}>
      <Title order={2} size="h4">
        {t('mailboxes.keep.title')}
      </Title>
      <Text size="sm" mt="xs" mb="md" maw={640}>
        {t('mailboxes.keep.text')}
      </Text>
      <Group>
        <Button loading={update.isPending} onClick={keep}>
          {t('mailboxes.keep.yes')}
        </Button>
        {look(t('mailboxes.keep.later'))}
      </Group>
      {update.error && <ProblemView error={update.error} />}
    </Card>
  );
}
