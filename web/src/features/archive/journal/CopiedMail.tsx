import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { JournalAddress } from './JournalAddress';
import { JournalFigures } from './JournalFigures';
import { JournalFormat } from './JournalFormat';

type CopiedMailProps = { readonly accountId: string };

/** The secret address to which a mail server copies mail, and what came to it. */
export function CopiedMail({ accountId }: CopiedMailProps): ReactNode {
  const { t } = useTranslation();
  const journal = useQuery(op('journal.get', { accountId }));
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="copied-mail">
      <Title order={2} size="h4" id="copied-mail">
        {t('journal.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('journal.text')}
      </Text>
      <QueryView query={journal}>
        {(state) => (
          <Stack gap="sm">
            {!state.available && <Text size="sm">{t('journal.unavailable')}</Text>}
            {state.address !== null && (
              <JournalAddress accountId={accountId} journal={state} address={state.address} />
            )}
            {state.createdAt !== null && <JournalFigures journal={state} />}
            {state.available && state.address === null && <TurnOn accountId={accountId} />}
          </Stack>
        )}
      </QueryView>
    </Paper>
  );
}

function TurnOn({ accountId }: CopiedMailProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [format, setFormat] = useState<Schemas['JournalFormat']>('copies');
  const turnOn = useOperation('journal.turnOn');
  return (
    <>
      <JournalFormat value={format} disabled={turnOn.isPending} onChange={setFormat} />
      {turnOn.error && <ProblemView error={turnOn.error} />}
      <Group>
        <Button
          loading={turnOn.isPending}
          onClick={() =>
            turnOn.mutate(
              { accountId, body: { format } },
              { onSuccess: () => void invalidate(client, ['journal.get']) },
            )
          }
        >
          {t('journal.turnOn')}
        </Button>
      </Group>
    </>
  );
}
