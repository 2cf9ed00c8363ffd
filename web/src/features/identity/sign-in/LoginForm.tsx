import { Button, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../api/problems';
import { signIn } from '../../../api/session';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

/** E-mail address and password; the code of the second factor once the service asks for it. */
export function LoginForm({ next }: { readonly next: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const router = useRouter();
  const [wantsCode, setWantsCode] = useState(false);
  const form = useServiceForm({
    initial: { email: '', password: '', code: '' },
    send: async ({ email, password, code }) => {
      await signIn(client, { email, password, totp_code: wantsCode ? code.trim() : undefined });
      // Also when the form is gone by now.
      router.history.push(next ?? '/');
    },
    fields: { totp_code: 'code' },
    onRefused: (refusal) => {
      // Being asked for the code is no failure.
      if (!hasCode(refusal, 'totp-required')) return;
      setWantsCode(true);
      form.forget();
    },
  });
  return (
    <form onSubmit={form.submit}>
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
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Button type="submit" loading={form.isSending}>
          {t('signIn.submit')}
        </Button>
      </Stack>
    </form>
  );
}
