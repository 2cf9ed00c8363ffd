import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { QueryView } from '../../../ui/QueryView';
import { ProofForm } from './ProofForm';
import { RecoveryCodes } from './RecoveryCodes';
import { TwoFactorSetup } from './TwoFactorSetup';

/** Below this it is time for new ones. */
const FEW_CODES = 3;

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
  const client = useQueryClient();
  const [asked, setAsked] = useState<'renew' | 'disable' | null>(null);
  const renew = useOperation('twoFactor.renewRecoveryCodes');
  const disable = useOperation('twoFactor.disable');
  const changed = (): void => void invalidate(client, ['auth.me', 'twoFactor.getStatus']);
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
          busy={renew.isPending}
          error={renew.error}
          onSubmit={(body) =>
            renew.mutate(
              { body },
              {
                onSuccess: ({ recovery_codes: codes }) => {
                  changed();
                  onCodes(codes);
                },
              },
            )
          }
          onCancel={() => setAsked(null)}
        />
      )}
      {asked === 'disable' && (
        <ProofForm
          text={t('security.twoFactor.disableText')}
          verb={t('security.twoFactor.disable')}
          busy={disable.isPending}
          error={disable.error}
          onSubmit={(body) => disable.mutate({ body }, { onSuccess: changed })}
          onCancel={() => setAsked(null)}
        />
      )}
    </Stack>
  );
}
