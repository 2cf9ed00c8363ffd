import { Button, Group, Stack, Text } from '@mantine/core';
import type { Arguments } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { TransferForecast } from '../../../shared/forecast/TransferForecast';
import { foldersOf, rolesToConfirm, type Test } from './imap-form';
import { RoleFields } from './RoleFields';

interface ImapFoldersProps {
  readonly test: Test;
  /** The server that was entered, and the login. */
  readonly server: Arguments<'imapAccounts.connect'>['body'];
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** The mailbox was entered: what its folders are for, before it is connected. */
export function ImapFolders({ test, server, onDone, onBack }: ImapFoldersProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: foldersOf(test),
    send: (chosen) =>
      call('imapAccounts.connect', {
        body: { ...server, roles: test.rolesFixed ? {} : rolesToConfirm(test, chosen) },
      }),
    outdated: ['auth.me', 'imapAccounts.get'],
    onSent: onDone,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <Text role="status">{t('mailboxes.imap.entered', { count: test.folders?.length ?? 0 })}</Text>
        <Text size="sm">
          {t(test.rolesFixed ? 'mailboxes.imap.foldersFixed' : 'mailboxes.imap.foldersText')}
        </Text>
        {!test.rolesFixed && <RoleFields form={form} account={test} />}
        {test.exactSizes === false && <Text size="sm">{t('mailboxes.imap.inexactSizes')}</Text>}
        {test.forecast && <TransferForecast forecast={test.forecast} />}
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('mailboxes.imap.connect')}
          </Button>
          <Button variant="default" onClick={onBack}>
            {t('mailboxes.imap.back')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
