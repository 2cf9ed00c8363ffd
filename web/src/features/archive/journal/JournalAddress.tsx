import { Button, Group, List, NativeSelect, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatFullDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { Secret } from '../../../ui/Secret';
import { JournalFormat } from './JournalFormat';

interface JournalAddressProps {
  readonly accountId: string;
  readonly journal: Schemas['JournalResponse'];
  readonly address: string;
}

const GRACES = ['24', '168', '0'] as const;

/** Mail servers that send a format. */
const SERVERS = { copies: ['postfix', 'google'], 'exchange-reports': ['exchange'] } as const;

/** The address with recipes for the mail servers that send its format; it can be replaced and ended. */
export function JournalAddress({ accountId, journal, address }: JournalAddressProps): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'replace' | 'turn-off' | null>(null);
  const close = (): void => setAsked(null);
  return (
    <Stack gap="sm">
      <Secret label={t('journal.address')} value={address} />
      <Text size="sm">{t('journal.secret')}</Text>
      {journal.previousAddressUntil !== null && (
        <Text size="sm">{t('journal.previous', { time: formatFullDate(journal.previousAddressUntil) })}</Text>
      )}
      <ExpectedFormat accountId={accountId} format={journal.format} />
      <Title order={3} size="h6">
        {t('journal.recipes')}
      </Title>
      <List size="sm" styles={{ item: { overflowWrap: 'anywhere' } }}>
        {SERVERS[journal.format].map((server) => (
          <List.Item key={server}>{t(`journal.${server}`, { address })}</List.Item>
        ))}
      </List>
      <Group>
        <Button variant="default" onClick={() => setAsked('replace')}>
          {t('journal.replace')}
        </Button>
        <Button variant="default" onClick={() => setAsked('turn-off')}>
          {t('journal.turnOff')}
        </Button>
      </Group>
      <Replace accountId={accountId} opened={asked === 'replace'} onClose={close} />
      <TurnOff accountId={accountId} opened={asked === 'turn-off'} onClose={close} />
    </Stack>
  );
}

interface ExpectedFormatProps {
  readonly accountId: string;
  readonly format: Schemas['JournalFormat'];
}

/** The format that the address expects; another choice counts at once. */
function ExpectedFormat({ accountId, format }: ExpectedFormatProps): ReactNode {
  const client = useQueryClient();
  const change = useOperation('journal.turnOn');
  return (
    <>
      <JournalFormat
        value={format}
        disabled={change.isPending}
        onChange={(chosen) =>
          change.mutate(
            { accountId, body: { format: chosen } },
            { onSuccess: () => void invalidate(client, ['journal.get']) },
          )
        }
      />
      {change.error && <ProblemView error={change.error} />}
    </>
  );
}

interface QuestionProps {
  readonly accountId: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function Replace({ accountId, opened, onClose }: QuestionProps): ReactNode {
  const { t } = useTranslation();
  const done = useDone(onClose);
  const [grace, setGrace] = useState<string>(GRACES[0]);
  const replace = useOperation('journal.replaceAddress');
  return (
    <Confirm
      opened={opened}
      title={t('journal.replaceTitle')}
      text={t('journal.replaceText')}
      details={
        <NativeSelect
          label={t('journal.grace')}
          value={grace}
          onChange={(event) => setGrace(event.currentTarget.value)}
          data={GRACES.map((value) => ({ value, label: t(`journal.graces.${value}`) }))}
        />
      }
      verb={t('journal.replace')}
      busy={replace.isPending}
      error={replace.error}
      onConfirm={() =>
        replace.mutate({ accountId, body: { graceHours: Number(grace) } }, { onSuccess: done })
      }
      onClose={onClose}
    />
  );
}

function TurnOff({ accountId, opened, onClose }: QuestionProps): ReactNode {
  const { t } = useTranslation();
  const done = useDone(onClose);
  const turnOff = useOperation('journal.turnOff');
  return (
    <Confirm
      opened={opened}
      title={t('journal.turnOffTitle')}
      text={t('journal.turnOffText')}
      verb={t('journal.turnOff')}
      destroys
      busy={turnOff.isPending}
      error={turnOff.error}
      onConfirm={() => turnOff.mutate({ accountId }, { onSuccess: done })}
      onClose={onClose}
    />
  );
}

function useDone(onClose: () => void): () => void {
  const client = useQueryClient();
  return () => {
    onClose();
    void invalidate(client, ['journal.get']);
  };
}
