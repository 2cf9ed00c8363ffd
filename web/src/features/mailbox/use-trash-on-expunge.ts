import { useQuery } from '@tanstack/react-query';
import { op } from '../../api/op';

/** Courier says that expunged messages go to its trash (IMAP_MOVE_EXPUNGE_TO_TRASH). */
const EXPUNGES_TO_TRASH = 'XMAGICTRASH';

/** Whether the server of a mailbox moves to its trash what is deleted; false while that is not known. */
export function useTrashOnExpunge(accountId: string, enabled: boolean): boolean {
  const me = useQuery({ ...op('auth.me'), enabled });
  const isImap = me.data?.mailboxAccounts.find(({ id }) => id === accountId)?.provider === 'imap';
  const account = useQuery({ ...op('imapAccounts.get', { accountId }), enabled: enabled && isImap });
  return account.data?.capabilities.includes(EXPUNGES_TO_TRASH) === true && !account.data.rolesFixed;
}
