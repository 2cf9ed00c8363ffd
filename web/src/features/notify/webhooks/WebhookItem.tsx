import { Alert, Box, Button, Card, Group, Stack, Switch, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { Wrapping } from '../../../ui/Wrapping';
import { Secret } from '../../../ui/Secret';
import { WebhookDeliveries } from './WebhookDeliveries';
import { WebhookForm } from './WebhookForm';

type Webhook = Schemas['WebhookResponse'];

/** The state of a webhook after 410. */
const GONE = 'gone';

/** One receiver: whether it is on, what it answered last, and what can be done with it. */
export function WebhookItem({ webhook }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [shown, setShown] = useState<'form' | 'secret' | 'deliveries' | null>(null);
  const toggle = useOperation('webhooks.toggle');
  const test = useOperation('webhooks.test');
  const { id, name, url, type, events, is_active, secret, last_triggered_at, last_status } = webhook;
  const webhookId = id;
  const changed = { onSettled: () => void invalidate(client, ['webhooks.list', 'webhooks.listDeliveries']) };
  const show = (part: typeof shown): void => setShown(shown === part ? null : part);
  if (shown === 'form')
    return (
      <Card withBorder component="li" padding="sm">
        <WebhookForm webhook={webhook} onDone={() => setShown(null)} />
      </Card>
    );
  return (
    <Card withBorder component="li" padding="sm" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between" align="start">
          <Box miw={0}>
            <Wrapping size="sm" fw={600}>
              {name}
            </Wrapping>
            <Wrapping size="xs" c="dimmed">
              {url}
            </Wrapping>
            <Text size="xs" c="dimmed">
              {[
                t(`webhooks.types.${type}`),
                ...events.map((event) => t(`webhooks.eventNames.${event}`)),
                last_triggered_at === null
                  ? t('webhooks.never')
                  : t('webhooks.last', {
                      time: formatShortDate(last_triggered_at),
                      status: last_status === 0 ? t('webhooks.noAnswer') : `HTTP ${last_status}`,
                    }),
              ].join(' · ')}
            </Text>
          </Box>
          <Switch
            label={t('webhooks.active')}
            checked={is_active}
            disabled={toggle.isPending}
            onChange={() => toggle.mutate({ webhookId }, changed)}
          />
        </Group>
        {webhook.disabled_reason === GONE && !is_active && (
          <Alert color="orange" role="note">
            {t('webhooks.gone')}
          </Alert>
        )}
        <Group gap="xs">
          <Button
            size="compact-xs"
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate({ webhookId }, changed)}
          >
            {t('webhooks.test')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => show('deliveries')}>
            {shown === 'deliveries' ? t('webhooks.hideDeliveries') : t('webhooks.deliveries')}
          </Button>
          {secret !== null && (
            <Button size="compact-xs" variant="default" onClick={() => show('secret')}>
              {t('webhooks.showSecret')}
            </Button>
          )}
          <Button size="compact-xs" variant="default" onClick={() => show('form')}>
            {t('webhooks.edit')}
          </Button>
          <Delete webhook={webhook} />
        </Group>
        {test.data && (
          <Text size="sm" role="status" c={test.data.success ? undefined : 'red'}>
            {test.data.success ? t('webhooks.testWorks') : t('webhooks.testFails')}
          </Text>
        )}
        {(toggle.error ?? test.error) && <ProblemView error={toggle.error ?? test.error} />}
        {shown === 'secret' && secret !== null && <Secret label={t('webhooks.secret')} value={secret} />}
        {shown === 'deliveries' && <WebhookDeliveries webhookId={id} name={name} />}
      </Stack>
    </Card>
  );
}

function Delete({ webhook: { id, name } }: { readonly webhook: Webhook }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const remove = useOperation('webhooks.delete');
  return (
    <>
      <Button size="compact-xs" color="red" variant="light" onClick={() => setIsAsked(true)}>
        {t('webhooks.delete')}
      </Button>
      <Confirm
        opened={isAsked}
        title={t('webhooks.deleteTitle', { name })}
        text={t('webhooks.deleteText')}
        verb={t('webhooks.delete')}
        destroys
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { webhookId: id },
            {
              onSuccess: () => {
                setIsAsked(false);
                void invalidate(client, ['webhooks.list']);
              },
            },
          )
        }
        onClose={() => setIsAsked(false)}
      />
    </>
  );
}
