import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';
import { op } from '../../../api/op';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { ConsentButtons } from './ConsentButtons';
import type { ImapForm } from './imap-form';
import { ImapServerForm } from './ImapServerForm';

interface ReconnectImapProps {
  readonly account: MailboxAccount;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks for a new consent, or for the new password of a mailbox whose server is known. */
export function ReconnectImap({ account, onDone, onCancel }: ReconnectImapProps): ReactNode {
  const { t } = useTranslation();
  const known = useQuery(op('imapAccounts.get', { accountId: account.id }));
  return (
    <Section title={t('mailboxes.imap.again', { email: account.email })}>
      <QueryView query={known}>
        {({ server, consent_provider: provider }) => {
          if (provider !== null)
            return (
              <ConsentButtons
                provider={provider}
                name={account.email}
                accountId={account.id}
                onConnected={onDone}
              />
            );
          const initial: ImapForm = {
            ...server,
            password: '',
            certificateSha256: server.certificateSha256 ?? '',
          };
          return (
            <ImapServerForm
              email={account.email}
              accountId={account.id}
              initial={initial}
              onDone={onDone}
              onCancel={onCancel}
            />
          );
        }}
      </QueryView>
    </Section>
  );
}
