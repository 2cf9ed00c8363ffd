import { Alert, Button, Group, Stack } from '@mantine/core';
import type { Answer } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { foldersOf, rolesOf } from './imap-form';
import { RoleFields } from './RoleFields';

interface FolderRolesProps {
  readonly accountId: string;
  readonly account: Answer<'imapAccounts.get'>;
}

/** Roles of the folders of a connected mailbox. */
export function FolderRoles({ accountId, account }: FolderRolesProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: foldersOf(account),
    send: (chosen) => call('imapAccounts.update', { accountId, body: { roles: rolesOf(chosen) } }),
    outdated: ['imapAccounts.get', 'mailbox.listLabels'],
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <RoleFields form={form} account={account} />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        {form.answer && (
          <Alert color="green" role="status">
            {t('mailboxes.imap.rolesSaved')}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('mailboxes.imap.saveRoles')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
