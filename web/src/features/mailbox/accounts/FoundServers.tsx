import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConsentButtons } from './ConsentButtons';
import { formOf, type Discovery } from './imap-form';
import { ImapServerForm } from './ImapServerForm';

interface FoundServersProps {
  readonly email: string;
  readonly found: Discovery;
  readonly onDone: (email: string) => void;
  readonly onCancel: () => void;
}

/** Facts about the provider, and the server that fits best; others can be chosen. */
export function FoundServers({ email, found, onDone, onCancel }: FoundServersProps): ReactNode {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const { candidates, hint } = found;
  const provider = hint?.provider ?? '';
  if (hint?.code === 'oauth-only')
    return (
      <Stack>
        <Alert color={hint.consent_provider === null ? 'yellow' : 'blue'} role="alert">
          {hint.consent_provider === null
            ? t(`mailboxes.imap.hints.${hint.code}`, { provider })
            : t('mailboxes.imap.consentHint', { provider })}
        </Alert>
        <Group>
          {hint.consent_provider !== null && (
            <ConsentButtons provider={hint.consent_provider} name={provider} onConnected={onDone} />
          )}
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
