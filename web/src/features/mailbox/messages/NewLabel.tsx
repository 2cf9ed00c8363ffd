import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

/** Adds a label to the mailbox. */
export function NewLabel({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { name: '' },
    send: ({ name }) => call('mailbox.createLabel', { accountId, body: { name: name.trim() } }),
    outdated: ['mailbox.listLabels', 'mailbox.listMessages', 'mailbox.getMessages'],
    onSent: () => form.reset(),
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="xs">
        <Group align="end">
          <TextInput
            label={t('mailbox.labels.name')}
            maxLength={225}
            required
            data-autofocus
            flex={1}
            {...form.getInputProps('name')}
          />
          <Button type="submit" loading={form.isSending} disabled={form.getValues().name.trim() === ''}>
            {t('mailbox.labels.create')}
          </Button>
        </Group>
        {form.unsaid && <ProblemView error={form.unsaid} />}
      </Stack>
    </form>
  );
}
