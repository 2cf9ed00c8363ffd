import type { Schemas } from '@mailroom/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { op } from './op';

type Me = Schemas['MeResponse'];
export type MailboxAccount = Schemas['MailboxAccountResponse'];

/** Whether the account is an archive that was created without a mailbox. */
export const hasNoMailbox = ({ provider }: Pick<MailboxAccount, 'provider'>): boolean =>
  provider === 'archive';

/** The signed-in person; loaded before any page that asks. */
export const useMe = (): Me => useSuspenseQuery(op('auth.me')).data;

/** The mailbox that was open last. */
let remembered: string | undefined;

export const rememberAccount = (accountId: string): void => {
  remembered = accountId;
};

/** The mailbox of the address, else the one that was open last, else the first; undefined while there is none. */
export function useAccount(): MailboxAccount | undefined {
  const { mailboxAccounts } = useMe();
  const { accountId = remembered } = useParams({ strict: false });
  return mailboxAccounts.find(({ id }) => id === accountId) ?? mailboxAccounts[0];
}
