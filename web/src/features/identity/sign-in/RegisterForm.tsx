import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { register } from '../../../api/session';
import { fieldErrors } from '../../../ui/field-errors';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useErrorsInLanguage } from '../../../ui/use-errors-in-language';

const SHORTEST_PASSWORD = 8;

/** A new user, who is signed in then. */
export function RegisterForm({ submit }: { readonly submit: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const form = useForm({
    initialValues: { name: '', email: '', password: '' },
    validate: {
      email: (email) => (/^\S+@\S+$/.test(email) ? null : t('signIn.emailWrong')),
      password: (password) => (password.length < SHORTEST_PASSWORD ? t('signIn.passwordShort') : null),
    },
  });
  useErrorsInLanguage(form);
  const create = useMutation({
    mutationFn: ({ name, email, password }: typeof form.values) =>
      register(client, { email, password, name: name.trim() || undefined }),
    onSuccess: () => router.history.push('/'),
  });
  const wrong = fieldErrors(create.error);
  return (
    <form
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      onChange={() => create.isError && create.reset()}
      noValidate
    >
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
          error={form.errors['password'] ?? wrong['password']}
        />
        {create.isError && wrong['password'] === undefined && <ProblemView error={create.error} />}
        <Button type="submit" loading={create.isPending}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
