import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@mailroom/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../api/problems';
import { acceptInvitation } from '../../../api/session';
import { formatFullDate } from '../../../i18n/format';
import { fieldErrors } from '../../../ui/field-errors';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useErrorsInLanguage } from '../../../ui/use-errors-in-language';
import { SignInLink } from './SignInLink';

const SHORTEST_PASSWORD = 8;

interface ChoosePasswordProps {
  readonly invitation: Schemas['InvitationResponse'];
  readonly token: string;
}

/** The first password of a person who was invited; they are signed in then. */
export function ChoosePassword({ invitation, token }: ChoosePasswordProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const { email, expires_at: expires } = invitation;
  const form = useForm({
    initialValues: { password: '', again: '' },
    validate: {
      password: (password) => (password.length < SHORTEST_PASSWORD ? t('signIn.passwordShort') : null),
      again: (again, { password }) => (again === password ? null : t('signIn.passwordDiffers')),
    },
  });
  useErrorsInLanguage(form);
  const accept = useMutation({
    mutationFn: (password: string) => acceptInvitation(client, { token, password }),
    onSuccess: () => router.history.push('/'),
  });
  const wrong = fieldErrors(accept.error);
  return (
    <form
      onSubmit={form.onSubmit(({ password }) => accept.mutate(password))}
      onChange={() => accept.isError && accept.reset()}
      noValidate
    >
      <Stack>
        <Text size="sm">{t('signIn.inviteText', { time: formatFullDate(expires) })}</Text>
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
        {accept.isError && wrong['password'] === undefined && <ProblemView error={accept.error} />}
        {hasCode(accept.error, 'invitation-invalid') && <SignInLink />}
        <Button type="submit" loading={accept.isPending}>
          {t('signIn.inviteSubmit')}
        </Button>
      </Stack>
    </form>
  );
}
