import { Button, Card, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

/** Characters of an archive's name. */
export const MAX_ARCHIVE_NAME = 100;

/** The way in for people who have files only: an archive without a mailbox, which opens on its imports. */
export function ArchiveCard(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card withBorder>
      <Title order={3} size="h5">
        {t('mailboxes.archive.card')}
      </Title>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {t('mailboxes.archive.cardText')}
      </Text>
      {isOpen ? (
        <ArchiveForm />
      ) : (
        <Button mt="auto" onClick={() => setOpen(true)}>
          {t('mailboxes.archive.create')}
        </Button>
      )}
    </Card>
  );
}

function ArchiveForm(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useServiceForm({
    initial: { name: '' },
    send: async (values) => {
      const archive = await call('mailboxAccounts.createArchive', { body: values });
      // The page of the archive looks for it among the person's accounts.
      await invalidate(client, ['auth.me']);
      return archive;
    },
    onSent: ({ id }) => void navigate({ to: '/a/$accountId/transfer', params: { accountId: id } }),
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm">
        <TextInput
          label={t('mailboxes.archive.name')}
          data-autofocus
          autoFocus
          required
          maxLength={MAX_ARCHIVE_NAME}
          {...form.getInputProps('name')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Button type="submit" loading={form.isSending}>
          {t('mailboxes.archive.create')}
        </Button>
      </Stack>
    </form>
  );
}
