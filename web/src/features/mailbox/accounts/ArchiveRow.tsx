import { Badge, Button, Card, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import type { MailboxAccount } from '../../../api/me';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { MAX_ARCHIVE_NAME } from './ArchiveCard';

interface ArchiveProps {
  readonly account: MailboxAccount;
}

/** An archive without a mailbox, and what can be done with it. */
export function ArchiveRow({ account }: ArchiveProps): ReactNode {
  const { t } = useTranslation();
  const { id: accountId, email: name } = account;
  return (
    <Card withBorder component="section" aria-label={name}>
      <Group justify="space-between">
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Badge color="gray" variant="dot" tt="none">
            {t('mailboxes.archive.badge')}
          </Badge>
        </Group>
        <Group gap="xs">
          <Button
            size="xs"
            renderRoot={(props) => <Link to="/a/$accountId/archive" params={{ accountId }} {...props} />}
          >
            {t('mailboxes.archive.open')}
          </Button>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/a/$accountId/transfer" params={{ accountId }} {...props} />}
          >
            {t('mailboxes.archive.import')}
          </Button>
          <Rename account={account} />
          <Delete account={account} />
        </Group>
      </Group>
    </Card>
  );
}

function Rename({ account }: ArchiveProps): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('mailboxes.archive.rename')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('mailboxes.archive.renameTitle', { name: account.email })}
      >
        {isOpen && <RenameForm account={account} onDone={() => setOpen(false)} />}
      </Modal>
    </>
  );
}

function RenameForm({ account, onDone }: ArchiveProps & { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { name: account.email },
    send: (values) => call('mailboxAccounts.renameArchive', { accountId: account.id, body: values }),
    outdated: ['auth.me'],
    onSent: onDone,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <TextInput
          label={t('mailboxes.archive.name')}
          data-autofocus
          required
          maxLength={MAX_ARCHIVE_NAME}
          {...form.getInputProps('name')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group justify="flex-end">
          <Button type="submit" loading={form.isSending}>
            {t('mailboxes.archive.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Delete({ account }: ArchiveProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState(false);
  const remove = useOperation('mailboxAccounts.disconnect');
  const { id: accountId, email: name } = account;
  const perform = (): void =>
    remove.mutate(
      { accountId, purge: true },
      {
        onSuccess: () => void invalidate(client, ['auth.me', 'jobs.list']),
        onSettled: (_done, error) => setAsked(error !== null),
      },
    );
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        {t('mailboxes.archive.delete')}
      </Button>
      <Confirm
        opened={asked}
        title={t('mailboxes.archive.deleteTitle', { name })}
        text={t('mailboxes.archive.deleteText')}
        verb={t('mailboxes.archive.delete')}
        typed={{ value: name, label: t('mailboxes.archive.deleteTyped') }}
        destroys
        busy={remove.isPending}
        error={remove.error}
        onConfirm={perform}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
