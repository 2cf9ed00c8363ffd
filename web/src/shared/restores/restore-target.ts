import type { Schemas } from '@mailroom/sdk';
import { useMe } from '../../api/me';

type Target = Pick<Schemas['RestoreSummaryResponse'], 'targetAccountId' | 'imap'>;

/** Returns the displayed name of the target of a restore: an address, or a user and a server. */
export function useTargetName(): (target: Target) => string {
  const { mailboxAccounts } = useMe();
  return ({ targetAccountId, imap }) =>
    imap
      ? `${imap.user} (${imap.host})`
      : (mailboxAccounts.find(({ id }) => id === targetAccountId)?.email ?? targetAccountId ?? '');
}
