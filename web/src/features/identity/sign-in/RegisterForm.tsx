import { Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { register } from '../../../api/session';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

const SHORTEST_PASSWORD = 8;

/** A new user, who is signed in then. */
export function RegisterForm({ submit }: { readonly submit: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const form = useServiceForm({
    initial: { name: '', email: '', password: '' },
    validate: {
      email: (email) => (/^\S+@\S+$/.test(email) ? null : t('signIn.emailWrong')),
      password: (password) => (password.length < SHORTEST_PASSWORD ? t('signIn.passwordShort') : null),
    },
    send: async ({ name, email, password }) => {
      await register(client, { email, password, name: name.trim() || undefined });
      // The form may be gone by now: the page of a first administrator is, once there is one.
      router.history.push('/');
    },
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <TextInput
          label={t('signIn.name')}
          description={t('signIn.optional')}
          autoComplete="name"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={t('signIn.password')}
          description={t('signIn.passwordHelp')}
          autoComplete="new-password"
          required
          {...form.getInputProps('password')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Button type="submit" loading={form.isSending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
