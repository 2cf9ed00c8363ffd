import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { fieldErrors } from '../../ui/field-errors';
import { PasswordField } from '../../ui/PasswordField';
import { ProblemView } from '../../ui/ProblemView';
import { useErrorsInLanguage } from '../../ui/use-errors-in-language';

const MIN_LENGTH = 8;
const BLANK = { current: '', next: '', again: '', code: '' };

/** Changes the password, which signs all other devices out. */
export function PasswordForm({ needsCode }: { readonly needsCode: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const change = useOperation('auth.changePassword');
  const form = useForm({
    initialValues: BLANK,
    validate: {
      next: (next) => (next.length < MIN_LENGTH ? t('security.password.short') : null),
      again: (again, { next }) => (again === next ? null : t('security.password.different')),
    },
  });
  useErrorsInLanguage(form);
  const wrong = fieldErrors(change.error);
  const save = ({ current, next, code }: typeof BLANK): void =>
    change.mutate(
      { body: { current, next, totp_code: needsCode ? code.trim() : undefined } },
      {
        onSuccess: () => {
          form.setValues(BLANK);
          notifications.show({ message: t('security.password.changed') });
          void invalidate(client, ['sessions.list']);
        },
      },
    );
  return (
    <form onSubmit={form.onSubmit(save)} onChange={() => change.isError && change.reset()}>
      <Stack gap="sm" maw={480}>
        <Text size="sm" c="dimmed">
          {t('security.password.text')}
        </Text>
        <PasswordField
          label={t('security.password.current')}
          autoComplete="current-password"
          required
          {...form.getInputProps('current')}
          error={wrong['current']}
        />
        <PasswordField
          label={t('security.password.next')}
          description={t('security.password.nextHelp')}
          autoComplete="new-password"
          required
          maxLength={128}
          {...form.getInputProps('next')}
          error={form.errors['next'] ?? wrong['next']}
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
            error={wrong['totp_code']}
          />
        )}
        {change.error && Object.keys(wrong).length === 0 && <ProblemView error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('security.password.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
