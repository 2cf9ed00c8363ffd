import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

const MIN_LENGTH = 8;
const BLANK = { current: '', next: '', again: '', code: '' };

/** Changes the password, which signs all other devices out. */
export function PasswordForm({ needsCode }: { readonly needsCode: boolean }): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: BLANK,
    validate: {
      next: (next) => (next.length < MIN_LENGTH ? t('security.password.short') : null),
      again: (again, { next }) => (again === next ? null : t('security.password.different')),
    },
    send: ({ current, next, code }) =>
      call('auth.changePassword', {
        body: { current, next, totp_code: needsCode ? code.trim() : undefined },
      }),
    fields: { totp_code: needsCode ? 'code' : null },
    outdated: ['sessions.list'],
    success: t('security.password.changed'),
    onSent: () => form.setValues(BLANK),
  });
  return (
    <form onSubmit={form.submit} onChange={() => form.error && form.forget()}>
      <Stack gap="sm" maw={480}>
        <Text size="sm" c="dimmed">
          {t('security.password.text')}
        </Text>
        <PasswordField
          label={t('security.password.current')}
          autoComplete="current-password"
          required
          {...form.getInputProps('current')}
        />
        <PasswordField
          label={t('security.password.next')}
          description={t('security.password.nextHelp')}
          autoComplete="new-password"
          required
          maxLength={128}
          {...form.getInputProps('next')}
        />
        <PasswordField
          label={t('security.password.again')}
          autoComplete="new-password"
          required
          maxLength={128}
          {...form.getInputProps('again')}
        />
        {needsCode && (
          <TextInput
            label={t('security.code')}
            description={t('security.codeHelp')}
            autoComplete="one-time-code"
            required
            {...form.getInputProps('code')}
          />
        )}
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('security.password.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
