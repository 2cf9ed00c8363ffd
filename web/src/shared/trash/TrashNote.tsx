import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../api/op';

/** The capability by which Courier says that expunged messages go to its trash (IMAP_MOVE_EXPUNGE_TO_TRASH). */
const EXPUNGES_TO_TRASH = 'XMAGICTRASH';

interface TrashNoteProps {
  readonly accountId: string;
  /** Action on messages that is to be confirmed; null while there is none. */
  readonly action: 'trash' | 'delete' | null;
}

/**
 * A warning that the server moves to its trash what is deleted, or that it has no folder for the trash yet. It is empty until
 * the server's folders are known. The page has to load the texts of `trash`.
 */
export function TrashNote({ accountId, action }: TrashNoteProps): ReactNode {
  const { t } = useTranslation();
  const isAsked = action !== null;
  const me = useQuery({ ...op('auth.me'), enabled: isAsked });
  const isImap = me.data?.mailboxAccounts.find(({ id }) => id === accountId)?.provider === 'imap';
  const { data: account } = useQuery({
    ...op('imapAccounts.get', { accountId }),
    enabled: isAsked && isImap,
  });
  if (!account || account.rolesFixed || !isAsked) return null;
  const { capabilities, folders } = account;
  if (action === 'delete' && capabilities.includes(EXPUNGES_TO_TRASH))
    return <Alert color="orange">{t('trash.onExpunge')}</Alert>;
  if (action === 'trash' && folders.every(({ role }) => role !== 'trash'))
    return <Alert color="orange">{t('trash.missing')}</Alert>;
  return null;
}
