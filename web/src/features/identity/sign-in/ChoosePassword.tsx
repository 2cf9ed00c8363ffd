import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../api/problems';
import { acceptInvitation } from '../../../api/session';
import { formatFullDate } from '../../../i18n/format';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
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
  const form = useServiceForm({
    initial: { password: '', again: '' },
    validate: {
      password: (password) => (password.length < SHORTEST_PASSWORD ? t('signIn.passwordShort') : null),
      again: (again, { password }) => (again === password ? null : t('signIn.passwordDiffers')),
    },
    send: async ({ password }) => {
      await acceptInvitation(client, { token, password });
      // Also when the form is gone by now.
      router.history.push('/');
    },
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <Text size="sm">{t('signIn.inviteText', { time: formatFullDate(expires) })}</Text>
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
        {hasCode(form.error, 'invitation-invalid') && <SignInLink />}
        <Button type="submit" loading={form.isSending}>
          {t('signIn.inviteSubmit')}
        </Button>
      </Stack>
    </form>
  );
}
