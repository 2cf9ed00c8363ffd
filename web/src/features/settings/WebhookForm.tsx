import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { fieldErrors } from '../../ui/field-errors';
import { ProblemView } from '../../ui/ProblemView';
import { useErrorsInLanguage } from '../../ui/use-errors-in-language';

type Webhook = Schemas['WebhookResponse'];

const TYPES = ['generic', 'embedchat', 'blockchat', 'pushnotify'] as const;
const EVENTS = [
  'job.completed',
  'job.failed',
  'rule.executed',
  'quota.warning',
  'integrity.failed',
  'archiving.unhealthy',
  'archiving.recovered',
] as const satisfies readonly Webhook['events'][number][];

interface WebhookFormProps {
  /** The one that is changed; without it a new one is made. */
  readonly webhook?: Webhook;
  readonly onDone: () => void;
}

export function WebhookForm({ webhook, onDone }: WebhookFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const create = useOperation('webhooks.create');
  const update = useOperation('webhooks.update');
  const form = useForm({
    initialValues: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      type: webhook?.type ?? 'generic',
      events:
        webhook?.events ?? (['job.failed', 'integrity.failed', 'archiving.unhealthy'] as Webhook['events']),
    },
    validate: { events: (events) => (events.length === 0 ? t('webhooks.eventsWrong') : null) },
  });
  useErrorsInLanguage(form);
  const { setErrors } = form;
  const error = create.error ?? update.error;
  useEffect(() => setErrors(fieldErrors(error)), [error, setErrors]);
  const done = {
    onSuccess: () => {
      onDone();
      void invalidate(client, ['webhooks.list']);
    },
  };
  const save = (values: typeof form.values): void => {
    const body = { ...values, name: values.name.trim(), url: values.url.trim() };
    if (webhook) update.mutate({ webhookId: webhook.id, body }, done);
    else create.mutate({ body }, done);
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
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
        {error && <ProblemView error={error} />}
        <Group>
          <Button type="submit" loading={create.isPending || update.isPending}>
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
