import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { ArchiveForecast } from '../../../shared/forecast/ArchiveForecast';
import { ConsentRefusal } from './ConsentRefusal';

interface ConsentOutcomeProps {
  readonly mailbox?: 'connected' | 'error' | undefined;
  /** Address of the mailbox that was connected. */
  readonly account?: string | undefined;
  /** Code of the refusal. */
  readonly code?: string | undefined;
}

/** The result of a consent or of a connection by IMAP; for the latter and for OAuth over IMAP also what the provider's limits do. */
export function ConsentOutcome({ mailbox, account, code }: ConsentOutcomeProps): ReactNode {
  const { t } = useTranslation();
  const { mailboxAccounts } = useMe();
  if (mailbox === 'connected' && account !== undefined) {
    const connected = mailboxAccounts.find(({ email, provider }) => email === account && provider === 'imap');
    return (
      <>
        <Alert color="green" role="status">
          {t('mailboxes.connected', { email: account })}
        </Alert>
        {connected && <ArchiveForecast accountId={connected.id} isNew />}
      </>
    );
  }
  if (mailbox !== 'error') return null;
  return <ConsentRefusal code={code} />;
}
