import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useMe } from '../../../api/me';
import { ArchiveForecast } from '../../../shared/forecast/ArchiveForecast';
import { ConsentRefusal } from './ConsentRefusal';
import { KeepQuestion } from './KeepQuestion';

interface ConsentOutcomeProps {
  readonly mailbox?: 'connected' | 'error' | undefined;
  /** Address of the mailbox that was connected. */
  readonly account?: string | undefined;
  /** Code of the refusal. */
  readonly code?: string | undefined;
}

/**
 * The result of a consent or of a connection by IMAP, and the next step; for IMAP and OAuth over IMAP also what the provider's
 * limits do.
 */
export function ConsentOutcome({ mailbox, account, code }: ConsentOutcomeProps): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  if (mailbox === 'connected' && account !== undefined) {
    const connected = mailboxAccounts.find(
      (one) => one.email === account && !hasNoMailbox(one) && one.status !== 'disconnected',
    );
    return (
      <>
        <Alert color="green" role="status">
          {t('mailboxes.connected', { email: account })}
        </Alert>
        {connected?.provider === 'imap' && <ArchiveForecast accountId={connected.id} isNew />}
        {connected && <KeepQuestion accountId={connected.id} />}
      </>
    );
  }
  if (mailbox !== 'error') return null;
  return <ConsentRefusal code={code} />;
}
