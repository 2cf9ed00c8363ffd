import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@mailroom/sdk';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { hasCode } from '../../../api/problems';
import { formatFullDate } from '../../../i18n/format';
import { fieldErrors } from '../../../ui/field-errors';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useErrorsInLanguage } from '../../../ui/use-errors-in-language';
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
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: {
      password: (password) => (password.length < SHORTEST_PASSWORD ? t('signIn.passwordShort') : null),
      again: (again, { password }) => (again === password ? null : t('signIn.passwordDiffers')),
    },
  });
  useErrorsInLanguage(form);
  const reset = useMutation({
    mutationFn: (password: string) => call('auth.completePasswordReset', { body: { token, password } }),
  });
  if (reset.isSuccess)
    return (
      <Stack role="status">
        <Text size="sm">{t('signIn.resetDone')}</Text>
        <Anchor component={Link} to="/login" underline="always">
          {t('signIn.title')}
        </Anchor>
      </Stack>
    );
  const wrong = fieldErrors(reset.error);
  return (
    <form
      onSubmit={form.onSubmit(({ password }) => reset.mutate(password))}
      onChange={() => reset.isError && reset.reset()}
      noValidate
    >
      <Stack>
        <Text size="sm">{t('signIn.resetText', { time: formatFullDate(expires) })}</Text>
        <TextInput label={t('signIn.email')} value={email} readOnly autoComplete="username" />
        <PasswordField
          label={t('signIn.password')}
          description={t('signIn.passwordHelp')}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
          error={form.errors['password'] ?? wrong['password']}
        />
        <PasswordField
          label={t('signIn.passwordAgain')}
          autoComplete="new-password"
          required
          {...form.getInputProps('again')}
        />
        {reset.isError && wrong['password'] === undefined && <ProblemView error={reset.error} />}
        {hasCode(reset.error, 'password-reset-invalid') && <SignInLink />}
        <Button type="submit" loading={reset.isPending}>
          {t('signIn.resetSubmit')}
        </Button>
      </Stack>
    </form>
  );
}
