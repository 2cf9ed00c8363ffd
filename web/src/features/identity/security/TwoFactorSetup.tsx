import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { fieldErrors } from '../../../ui/field-errors';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { Secret } from '../../../ui/Secret';

interface TwoFactorSetupProps {
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Password, then the secret for the app, then the app's first code. */
export function TwoFactorSetup({ onCodes, onCancel }: TwoFactorSetupProps): ReactNode {
  const { t } = useTranslation();
  const setUp = useOperation('twoFactor.setUp');
  const form = useForm({ initialValues: { password: '' } });
  const wrong = fieldErrors(setUp.error);
  if (setUp.data)
    return (
      <FirstCode
        secret={setUp.data.secret}
        url={setUp.data.otpauth_url}
        onCodes={onCodes}
        onCancel={onCancel}
      />
    );
  return (
    <form onSubmit={form.onSubmit(({ password }) => setUp.mutate({ body: { password } }))}>
      <Stack gap="sm" maw={480}>
        <PasswordField
          label={t('security.ownPassword')}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
          error={wrong['password']}
        />
        {setUp.error && Object.keys(wrong).length === 0 && <ProblemView error={setUp.error} />}
        <Group>
          <Button type="submit" loading={setUp.isPending}>
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
  const client = useQueryClient();
  const enable = useOperation('twoFactor.enable');
  const form = useForm({ initialValues: { code: '' } });
  const wrong = fieldErrors(enable.error);
  const submit = ({ code }: typeof form.values): void =>
    enable.mutate(
      { body: { totp_code: code.trim() } },
      {
        onSuccess: ({ recovery_codes: codes }) => {
          onCodes(codes);
          void invalidate(client, ['auth.me', 'twoFactor.getStatus', 'sessions.list']);
        },
      },
    );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm" maw={560}>
        <Text size="sm">{t('security.twoFactor.secretText')}</Text>
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
          error={wrong['totp_code']}
        />
        {enable.error && Object.keys(wrong).length === 0 && <ProblemView error={enable.error} />}
        <Group>
          <Button type="submit" loading={enable.isPending}>
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
