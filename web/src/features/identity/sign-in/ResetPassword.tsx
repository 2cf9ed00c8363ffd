import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { hasCode } from '../../../api/problems';
import { formatFullDate } from '../../../i18n/format';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { SignInLink } from './SignInLink';

const SHORTEST_PASSWORD = 8;

interface ResetPasswordProps {
  readonly link: Schemas['PasswordResetResponse'];
  readonly token: string;
}

/** Another password for a person who has lost theirs; they sign in with it afterwards. */
export function ResetPassword({ link, token }: ResetPasswordProps): ReactNode {
  const { t } = useTranslation();
  const { email, expires_at: expires } = link;
  const form = useServiceForm({
    initial: { password: '', again: '' },
    validate: {
      password: (password) => (password.length < SHORTEST_PASSWORD ? t('signIn.passwordShort') : null),
      again: (again, { password }) => (again === password ? null : t('signIn.passwordDiffers')),
    },
    send: async ({ password }) => {
      await call('auth.completePasswordReset', { body: { token, password } });
      return 'done' as const;
    },
  });
  if (form.answer)
    return (
      <Stack role="status">
        <Text size="sm">{t('signIn.resetDone')}</Text>
        <Anchor component={Link} to="/login" underline="always">
          {t('signIn.title')}
        </Anchor>
      </Stack>
    );
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <Text size="sm">{t('signIn.resetText', { time: formatFullDate(expires) })}</Text>
        <TextInput label={t('signIn.email')} value={email} readOnly autoComplete="username" />
        <PasswordField
          label={t('signIn.password')}
          description={t('signIn.passwordHelp')}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={t('signIn.passwordAgain')}
          autoComplete="new-password"
          required
          {...form.getInputProps('again')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        {hasCode(form.error, 'password-reset-invalid') && <SignInLink />}
        <Button type="submit" loading={form.isSending}>
          {t('signIn.resetSubmit')}
        </Button>
      </Stack>
    </form>
  );
}
