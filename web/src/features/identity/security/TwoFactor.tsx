import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { op } from '../../../api/op';
import { QueryView } from '../../../ui/QueryView';
import { ProofForm } from './ProofForm';
import { RecoveryCodes } from './RecoveryCodes';
import { TwoFactorSetup } from './TwoFactorSetup';

/** Below this it is time for new ones. */
const FEW_CODES = 3;
/** Old once the codes or the second factor itself have changed. */
const CHANGED = ['auth.me', 'twoFactor.getStatus'] as const;

/** One-time codes: on or off, how to change that, and the codes for the day the app is lost. */
export function TwoFactor(): ReactNode {
  const status = useQuery(op('twoFactor.getStatus'));
  // They are shown once: what is read anew meanwhile must not take them away.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />;
  return (
    <QueryView query={status}>
      {({ enabled, recovery_codes_left: left }) =>
        enabled ? <Enabled left={left} onCodes={setCodes} /> : <Disabled onCodes={setCodes} />
      }
    </QueryView>
  );
}

interface WithCodes {
  readonly onCodes: (codes: readonly string[]) => void;
}

function Disabled({ onCodes }: WithCodes): ReactNode {
  const { t } = useTranslation();
  const [isSettingUp, setIsSettingUp] = useState(false);
  if (isSettingUp) return <TwoFactorSetup onCodes={onCodes} onCancel={() => setIsSettingUp(false)} />;
  return (
    <Stack gap="sm" align="start">
      <Text size="sm" c="dimmed">
        {t('security.twoFactor.text')}
      </Text>
      <Button onClick={() => setIsSettingUp(true)}>{t('security.twoFactor.setUp')}</Button>
    </Stack>
  );
}

function Enabled({ left, onCodes }: WithCodes & { readonly left: number }): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'renew' | 'disable' | null>(null);
  return (
    <Stack gap="sm" align="start">
      <Badge color="green" variant="dot" tt="none">
        {t('security.twoFactor.on')}
      </Badge>
      <Text size="sm" fw={left < FEW_CODES ? 600 : undefined}>
        {t('security.twoFactor.left', { count: left })}
      </Text>
      {asked === null && (
        <Group gap="xs">
          <Button variant="default" onClick={() => setAsked('renew')}>
            {t('security.twoFactor.renew')}
          </Button>
          <Button variant="default" onClick={() => setAsked('disable')}>
            {t('security.twoFactor.disable')}
          </Button>
        </Group>
      )}
      {asked === 'renew' && (
        <ProofForm
          text={t('security.twoFactor.renewText')}
          verb={t('security.twoFactor.renew')}
          send={(body) => call('twoFactor.renewRecoveryCodes', { body })}
          outdated={CHANGED}
          onSent={({ recovery_codes: codes }) => onCodes(codes)}
          onCancel={() => setAsked(null)}
        />
      )}
      {asked === 'disable' && (
        <ProofForm
          text={t('security.twoFactor.disableText')}
          verb={t('security.twoFactor.disable')}
          send={(body) => call('twoFactor.disable', { body })}
          outdated={CHANGED}
          onCancel={() => setAsked(null)}
        />
      )}
    </Stack>
  );
}
