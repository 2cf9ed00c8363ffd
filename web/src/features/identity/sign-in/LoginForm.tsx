import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../api/problems';
import { signIn } from '../../../api/session';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';

/** E-mail address and password; the code of the second factor once the service asks for it. */
export function LoginForm({ next }: { readonly next: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const [wantsCode, setWantsCode] = useState(false);
  const form = useForm({ initialValues: { email: '', password: '', code: '' } });
  const login = useMutation({
    mutationFn: ({ email, password, code }: typeof form.values) =>
      signIn(client, { email, password, totp_code: wantsCode ? code.trim() : undefined }),
    onSuccess: () => router.history.push(next ?? '/'),
    onError: (error) => setWantsCode(wantsCode || hasCode(error, 'totp-required')),
  });
  // Being asked for the code is no failure.
  const isFailure = login.isError && !hasCode(login.error, 'totp-required');
  return (
    <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
      <Stack>
        <TextInput
          label={t('signIn.email')}
          type="email"
          autoComplete="username"
          required
          autoFocus
          readOnly={wantsCode}
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={t('signIn.password')}
          autoComplete="current-password"
          required
          readOnly={wantsCode}
          {...form.getInputProps('password')}
        />
        {wantsCode && (
          <TextInput
            label={t('signIn.code')}
            description={t('signIn.codeHelp')}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            autoFocus
            {...form.getInputProps('code')}
          />
        )}
        {isFailure && <ProblemView error={login.error} />}
        <Button type="submit" loading={login.isPending}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  );
}
