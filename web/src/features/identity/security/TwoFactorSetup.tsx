import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { Secret } from '../../../ui/Secret';
import { useServiceForm } from '../../../ui/use-service-form';
import { QrCode } from './QrCode';

interface TwoFactorSetupProps {
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Password, then the secret for the app, then the app's first code. */
export function TwoFactorSetup({ onCodes, onCancel }: TwoFactorSetupProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { password: '' },
    send: (body) => call('twoFactor.setUp', { body }),
  });
  if (form.answer)
    return (
      <FirstCode
        secret={form.answer.secret}
        url={form.answer.otpauth_url}
        onCodes={onCodes}
        onCancel={onCancel}
      />
    );
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw={480}>
        <PasswordField
          label={t('security.ownPassword')}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('security.twoFactor.continue')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FirstCodeProps extends TwoFactorSetupProps {
  readonly secret: string;
  readonly url: string;
}

function FirstCode({ secret, url, onCodes, onCancel }: FirstCodeProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { code: '' },
    send: ({ code }) => call('twoFactor.enable', { body: { totp_code: code.trim() } }),
    fields: { totp_code: 'code' },
    outdated: ['auth.me', 'twoFactor.getStatus', 'sessions.list'],
    onSent: ({ recovery_codes: codes }) => onCodes(codes),
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw={560}>
        <Text size="sm">{t('security.twoFactor.secretText')}</Text>
        <QrCode text={url} label={t('security.twoFactor.qrCode')} />
        <Secret label={t('security.twoFactor.secret')} value={secret} />
        <Text size="sm">
          <Anchor href={url} underline="always">
            {t('security.twoFactor.openApp')}
          </Anchor>
        </Text>
        <TextInput
          label={t('security.twoFactor.firstCode')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          {...form.getInputProps('code')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('security.twoFactor.enable')}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
