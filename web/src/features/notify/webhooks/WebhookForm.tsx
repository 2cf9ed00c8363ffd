import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { listAll } from '../../../api/list-all';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

type Webhook = Schemas['WebhookResponse'];

const TYPES = listAll<Webhook['type']>({ generic: true, embedchat: true, blockchat: true, pushnotify: true });
const EVENTS = listAll<Webhook['events'][number]>({
  'job.completed': true,
  'job.failed': true,
  'rule.executed': true,
  'quota.warning': true,
  'integrity.failed': true,
  'archiving.unhealthy': true,
  'archiving.recovered': true,
});

interface WebhookFormProps {
  /** The one that is changed; without it a new one is made. */
  readonly webhook?: Webhook;
  readonly onDone: () => void;
}

export function WebhookForm({ webhook, onDone }: WebhookFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      type: webhook?.type ?? 'generic',
      events:
        webhook?.events ?? (['job.failed', 'integrity.failed', 'archiving.unhealthy'] as Webhook['events']),
    },
    validate: { events: (events) => (events.length === 0 ? t('webhooks.eventsWrong') : null) },
    send: (values) => {
      const body = { ...values, name: values.name.trim(), url: values.url.trim() };
      return webhook
        ? call('webhooks.update', { webhookId: webhook.id, body })
        : call('webhooks.create', { body });
    },
    outdated: ['webhooks.list'],
    onSent: onDone,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <TextInput
          label={t('webhooks.name')}
          required
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('webhooks.url')}
          type="url"
          placeholder={t('webhooks.urlPlaceholder')}
          required
          maxLength={2_048}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <NativeSelect
          label={t('webhooks.type')}
          data={TYPES.map((value) => ({ value, label: t(`webhooks.types.${value}`) }))}
          {...form.getInputProps('type')}
        />
        <Checkbox.Group label={t('webhooks.events')} {...form.getInputProps('events')}>
          <Stack gap="xs" mt={4}>
            {EVENTS.map((event) => (
              <Checkbox key={event} value={event} label={t(`webhooks.eventNames.${event}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
        {form.error && <ProblemView error={form.error} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('webhooks.save')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
