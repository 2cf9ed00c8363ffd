import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MailboxAccount } from '../../../api/me';
import { op, useOperation } from '../../../api/op';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { formOf, type Discovery, type ImapForm } from './imap-form';
import { ImapServerForm } from './ImapServerForm';

interface ConnectImapProps {
  readonly onDone: (email: string) => void;
  readonly onCancel: () => void;
}

/** Connects any mailbox: from its address to its server, which is tried before anything is kept. */
export function ConnectImap({ onDone, onCancel }: ConnectImapProps): ReactNode {
  const { t } = useTranslation();
  const discover = useOperation('imapAccounts.discover');
  const [email, setEmail] = useState('');
  const search = (event: FormEvent): void => {
    event.preventDefault();
    discover.mutate({ body: { email: email.trim() } });
  };
  if (discover.isSuccess)
    return (
      <Section title={t('mailboxes.imap.title')}>
        <FoundServers
          email={discover.variables.body.email}
          found={discover.data}
          onDone={onDone}
          onCancel={discover.reset}
        />
      </Section>
    );
  return (
    <Section title={t('mailboxes.imap.title')}>
      <form onSubmit={search}>
        <Stack>
          <TextInput
            label={t('mailboxes.imap.email')}
            description={t('mailboxes.imap.emailHelp')}
            type="email"
            autoComplete="email"
            required
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          {discover.isError && <ProblemView error={discover.error} />}
          <Group>
            <Button type="submit" loading={discover.isPending}>
              {t('mailboxes.imap.find')}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {t('common.cancel')}
            </Button>
          </Group>
          {discover.isPending && <Text role="status">{t('mailboxes.imap.finding')}</Text>}
        </Stack>
      </form>
    </Section>
  );
}

interface FoundServersProps extends ConnectImapProps {
  readonly email: string;
  readonly found: Discovery;
}

/** Facts about the provider, and the server that fits best; others can be chosen. */
function FoundServers({ email, found, onDone, onCancel }: FoundServersProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const { candidates, hint } = found;
  const provider = hint?.provider ?? '';
  if (hint?.code === 'oauth-only')
    return (
      <Stack>
        <Alert color="yellow" role="alert">
          {t(`mailboxes.imap.hints.${hint.code}`, { provider })}
        </Alert>
        <Group>
          <Button variant="default" onClick={onCancel}>
            {t('mailboxes.imap.otherAddress')}
          </Button>
        </Group>
      </Stack>
    );
  const candidate = candidates[chosen];
  return (
    <Stack>
      <Text>
        {candidate
          ? t(`mailboxes.imap.sources.${candidate.source}`, { email, host: candidate.host })
          : t('mailboxes.imap.nothingFound', { email })}
      </Text>
      {candidates.length > 1 && (
        <Group gap="xs">
          {candidates.map(({ host, port }, index) =>
            index === chosen ? null : (
              <Anchor
                component="button"
                type="button"
                key={`${host} ${port} ${index}`}
                underline="always"
                onClick={() => setChosen(index)}
              >
                {t('mailboxes.imap.takeOther', { host, port })}
              </Anchor>
            ),
          )}
        </Group>
      )}
      {hint?.code && (
        <Alert color="blue" role="note">
          {t(`mailboxes.imap.hints.${hint.code}`, { provider })}
        </Alert>
      )}
      <ImapServerForm
        key={chosen}
        email={email}
        initial={formOf(email, candidate)}
        onDone={() => onDone(email)}
        onCancel={onCancel}
      />
    </Stack>
  );
}

interface ReconnectImapProps {
  readonly account: MailboxAccount;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks for the new password of a mailbox, whose server is known. */
export function ReconnectImap({ account, onDone, onCancel }: ReconnectImapProps): ReactNode {
  const { t } = useTranslation();
  const known = useQuery(op('imapAccounts.get', { accountId: account.id }));
  return (
    <Section title={t('mailboxes.imap.again', { email: account.email })}>
      <QueryView query={known}>
        {({ server }) => {
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
