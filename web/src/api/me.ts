import type { Schemas } from '@mailroom/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { op } from './op';

type Me = Schemas['MeResponse'];
export type MailboxAccount = Schemas['MailboxAccountResponse'];

/** Whether the account is an archive that was created without a mailbox. */
export const hasNoMailbox = ({ provider }: Pick<MailboxAccount, 'provider'>): boolean =>
  provider === 'archive';

/** The page on which an account opens. */
export const homeOf = (account: MailboxAccount): '/a/$accountId/archive' | '/a/$accountId/overview' =>
  hasNoMailbox(account) ? '/a/$accountId/archive' : '/a/$accountId/overview';

/** The signed-in person; loaded before any page that asks. */
export const useMe = (): Me => useSuspenseQuery(op('auth.me')).data;

/** The mailbox of the address, else the first one; undefined while there is none. */
export function useAccount(): MailboxAccount | undefined {
  const { mailboxAccounts } = useMe();
  const { accountId } = useParams({ strict: false });
  return mailboxAccounts.find(({ id }) => id === accountId) ?? mailboxAccounts[0];
}
