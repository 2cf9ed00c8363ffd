import { Button, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectMailbox } from '../../../api/connect-mailbox';
import { ProblemView } from '../../../ui/ProblemView';
import { DeviceConsent } from './DeviceConsent';

interface ConsentButtonsProps {
  readonly provider: string;
  /** Name of the mailbox or the provider, for screen readers. */
  readonly name: string;
  /** The account to connect again. */
  readonly accountId?: string;
  readonly onConnected: (email: string) => void;
}

/** Providers at whose page people can enter a code. */
const WITH_CODE: ReadonlySet<string> = new Set(['microsoft']);

/** Connects a mailbox by consent, in this browser or with a code on any device. */
export function ConsentButtons({ provider, name, accountId, onConnected }: ConsentButtonsProps): ReactNode {
  const { t } = useTranslation();
  const connect = useConnectMailbox();
  const [byCode, setByCode] = useState(false);
  if (byCode)
    return (
      <DeviceConsent accountId={accountId} onConnected={onConnected} onCancel={() => setByCode(false)} />
    );
  return (
    <Stack gap="xs" mt="auto" align="stretch">
      {connect.isError && <ProblemView error={connect.error} />}
      <Button
        loading={connect.isPending || connect.isSuccess}
        aria-label={t('common.named', { what: t('mailboxes.connect'), name })}
        onClick={() => connect.mutate({ provider, accountId })}
      >
        {t('mailboxes.connect')}
      </Button>
      {WITH_CODE.has(provider) && (
        <Button
          variant="subtle"
          aria-label={t('common.named', { what: t('mailboxes.code.use'), name })}
          onClick={() => setByCode(true)}
        >
          {t('mailboxes.code.use')}
        </Button>
      )}
    </Stack>
  );
}
