import { Button, Card, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { EmptyState } from '../../../ui/EmptyState';
import { QueryView } from '../../../ui/QueryView';
import { ArchiveCard } from './ArchiveCard';
import { ConnectImap } from './ConnectImap';
import { ConsentButtons } from './ConsentButtons';

interface ProviderCardsProps {
  /** A mailbox was connected on this page. */
  readonly onConnected: (email: string) => void;
}

/** A card for each provider whose mailboxes can be connected, and one for those who have files only. */
export function ProviderCards({ onConnected }: ProviderCardsProps): ReactNode {
  const { t } = useTranslation();
  const config = useQuery(op('auth.config'));
  const [byImap, setByImap] = useState(false);
  const connected = (email: string): void => {
    setByImap(false);
    onConnected(email);
  };
  if (byImap) return <ConnectImap onDone={connected} onCancel={() => setByImap(false)} />;
  return (
    <QueryView query={config}>
      {({ providers, sandbox }) => (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {providers.map((provider) =>
            provider === 'imap' ? (
              <ImapCard key={provider} onOpen={() => setByImap(true)} />
            ) : (
              <ProviderCard
                key={provider}
                provider={provider}
                look={lookOf(provider, sandbox)}
                onConnected={onConnected}
              />
            ),
          )}
          {providers.length === 0 && <EmptyState text={t('mailboxes.noProviders')} />}
          <ArchiveCard />
        </SimpleGrid>
      )}
    </QueryView>
  );
}

type Look = 'sandbox' | 'gmail' | 'microsoft' | 'google' | 'yahoo' | 'other';

const KNOWN: ReadonlySet<string> = new Set(['gmail', 'microsoft', 'google', 'yahoo']);

/** In a trial installation the invented mailboxes answer in the name of the provider. */
const lookOf = (provider: string, sandbox: boolean): Look =>
  sandbox && provider === 'gmail' ? 'sandbox' : KNOWN.has(provider) ? (provider as Look) : 'other';

interface ProviderCardProps extends ProviderCardsProps {
  readonly provider: string;
  readonly look: Look;
}

function ProviderCard({ provider, look, onConnected }: ProviderCardProps): ReactNode {
  const { t } = useTranslation();
  const name = t(`mailboxes.providers.${look}`, { name: provider });
  return (
    <Card withBorder>
      <Title order={3} size="h5">
        {name}
      </Title>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {t(`mailboxes.providers.${look}Text`)}
      </Text>
      <ConsentButtons provider={provider} name={name} onConnected={onConnected} />
    </Card>
  );
}

function ImapCard({ onOpen }: { readonly onOpen: () => void }): ReactNode {
  const { t } = useTranslation();
  const name = t('mailboxes.imap.card');
  return (
    <Card withBorder>
      <Title order={3} size="h5">
        {name}
      </Title>
      <Text size="sm" c="dimmed" mt="xs" mb="md">
        {t('mailboxes.imap.cardText')}
      </Text>
      <Button
        mt="auto"
        aria-label={t('common.named', { what: t('mailboxes.connect'), name })}
        onClick={onOpen}
      >
        {t('mailboxes.connect')}
      </Button>
    </Card>
  );
}
