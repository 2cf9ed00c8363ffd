import { Anchor, Button, Stack, Text } from '@mantine/core';
import type { Answer } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { formatDateTime } from '../../../i18n/format';
import { Loading } from '../../../ui/Loading';
import { ProblemView } from '../../../ui/ProblemView';
import { Secret } from '../../../ui/Secret';
import { ConsentRefusal } from './ConsentRefusal';

interface DeviceConsentProps {
  /** The account to connect again. */
  readonly accountId?: string | undefined;
  readonly onConnected: (email: string) => void;
  readonly onCancel: () => void;
}

/** Shows a code to enter on the provider's page, and waits until the mailbox is connected. */
export function DeviceConsent({ accountId, onConnected, onCancel }: DeviceConsentProps): ReactNode {
  const { t } = useTranslation();
  const { mutate, data, error } = useOperation('mailboxAccounts.connectDevice');
  useEffect(
    () => mutate({ body: { provider: 'microsoft', accountId: accountId ?? null } }),
    [mutate, accountId],
  );
  return (
    <Stack gap="xs" mt="auto">
      {error ? (
        <ProblemView error={error} />
      ) : data ? (
        <CodeToEnter consent={data} onConnected={onConnected} />
      ) : (
        <Loading />
      )}
      <Button variant="default" onClick={onCancel}>
        {t('common.cancel')}
      </Button>
    </Stack>
  );
}

interface CodeToEnterProps {
  readonly consent: Answer<'mailboxAccounts.connectDevice'>;
  readonly onConnected: (email: string) => void;
}

function CodeToEnter({ consent, onConnected }: CodeToEnterProps): ReactNode {
  const { t } = useTranslation();
  const state = useQuery({
    ...op('mailboxAccounts.getDeviceConsent', { consentId: consent.id }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data && data.status !== 'pending' ? false : (data?.interval ?? consent.interval) * 1_000,
  });
  const email = state.data?.status === 'connected' ? state.data.email : undefined;
  useEffect(() => {
    if (email !== undefined) onConnected(email);
  }, [email, onConnected]);
  if (state.data?.status === 'failed') return <ConsentRefusal code={state.data.code} />;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('mailboxes.code.enter', { until: formatDateTime(consent.expires_at) })}</Text>
      <Secret label={t('mailboxes.code.label')} value={consent.user_code} />
      <Anchor
        href={consent.verification_uri_complete ?? consent.verification_uri}
        target="_blank"
        rel="noreferrer"
        underline="always"
      >
        {consent.verification_uri}
      </Anchor>
      <Text size="sm" c="dimmed" role="status">
        {t('mailboxes.code.waiting')}
      </Text>
      {state.isError && <ProblemView error={state.error} />}
    </Stack>
  );
}
