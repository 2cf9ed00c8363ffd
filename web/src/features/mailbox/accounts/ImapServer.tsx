import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import type { Answer } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { QueryView } from '../../../ui/QueryView';
import { Wrapping } from '../../../ui/Wrapping';
import { FolderRoles } from './FolderRoles';

type Account = Answer<'imapAccounts.get'>;

interface ImapServerProps {
  readonly accountId: string;
  readonly email: string;
}

/** The server of a mailbox, and what its folders are for, which can be changed. */
export function ImapServer({ accountId, email }: ImapServerProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('common.named', { what: t('mailboxes.imap.server'), name: email })}
        onClick={() => setOpened(true)}
      >
        {t('mailboxes.imap.server')}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('common.named', { what: t('mailboxes.imap.server'), name: email })}
        size="lg"
      >
        {opened && <Server accountId={accountId} />}
      </Modal>
    </>
  );
}

function Server({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const account = useQuery({ ...op('imapAccounts.get', { accountId }), refetchOnMount: 'always' });
  return (
    <QueryView query={account}>
      {(found) => (
        <Stack>
          <Wrapping size="sm">
            {[
              `${found.server.host}:${found.server.port}`,
              t(`mailboxes.imap.securities.${found.server.security}`),
              found.server.username,
            ].join(' · ')}
          </Wrapping>
          <Wrapping size="xs" c="dimmed">
            {t('mailboxes.imap.capabilities', { list: found.capabilities.join(', ') })}
          </Wrapping>
          <UnreadFolders account={found} />
          <Views account={found} />
          <Trash account={found} />
          {found.rolesFixed ? (
            <Text size="sm">{t('mailboxes.imap.foldersFixed')}</Text>
          ) : (
            // A cached answer, for example of a mailbox that was disconnected, must not overwrite the current state.
            account.isFetchedAfterMount && <FolderRoles accountId={accountId} account={found} />
          )}
        </Stack>
      )}
    </QueryView>
  );
}

function UnreadFolders({ account }: { readonly account: Account }): ReactNode {
  const { t } = useTranslation();
  const unread = account.folders.filter(({ problem }) => problem !== null).map(({ path }) => path);
  if (unread.length === 0) return null;
  return <Alert color="orange">{t('mailboxes.imap.unreadFolders', { folders: unread.join(', ') })}</Alert>;
}

function Views({ account }: { readonly account: Account }): ReactNode {
  const { t } = useTranslation();
  const views = account.folders.filter(({ source }) => source === 'view').map(({ path }) => path);
  if (views.length === 0) return null;
  return <Wrapping size="sm">{t('mailboxes.imap.views', { folders: views.join(', ') })}</Wrapping>;
}

/** Courier says that expunged messages go to its trash (IMAP_MOVE_EXPUNGE_TO_TRASH). */
const EXPUNGES_TO_TRASH = 'XMAGICTRASH';

/** Treatment of the server's trash. Gmail keeps it for 30 days, which is said where messages are moved there. */
function Trash({ account }: { readonly account: Account }): ReactNode {
  const { t } = useTranslation();
  if (account.rolesFixed) return null;
  return (
    <>
      {account.capabilities.includes(EXPUNGES_TO_TRASH) && (
        <Alert color="orange">{t('mailboxes.imap.trashOnExpunge')}</Alert>
      )}
      <Text size="sm">{t('mailboxes.imap.trash')}</Text>
    </>
  );
}
