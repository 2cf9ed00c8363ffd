import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { hasNoMailbox, type MailboxAccount } from '../../../api/me';
import { CardGrid } from '../../../ui/Grids';
import { Figures } from './Figures';
import { FirstWeek } from './FirstWeek';
import { MailboxStates } from './MailboxStates';
import { NextSteps } from './NextSteps';
import { Safety } from './Safety';
import { WhileAway } from './WhileAway';

/** The start page: whether the mail is safe, what to do next, what has happened, and how the mailboxes are. */
export function Home({ account }: { readonly account: MailboxAccount | undefined }): ReactNode {
  const next = account && !hasNoMailbox(account) ? <NextSteps accountId={account.id} /> : null;
  return (
    <Stack>
      {account && (
        <>
          <Safety account={account} />
          <Figures account={account} />
        </>
      )}
      <FirstWeek account={account} after={next} />
      {account && (
        <CardGrid cols={{ base: 1, lg: 2 }}>
          <MailboxStates />
          <WhileAway />
        </CardGrid>
      )}
    </Stack>
  );
}
