import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { addPasskey, PasskeyNotMade } from '../../../api/passkeys';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { deviceOf } from './device';

interface PasskeyFormProps {
  readonly needsCode: boolean;
  readonly onDone: () => void;
}

/** Name and password; the device asks for the rest. */
export function PasskeyForm({ needsCode, onDone }: PasskeyFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { name: deviceOf(navigator.userAgent).system ?? '', password: '', code: '' },
    validate: { name: (name) => (name.trim() === '' ? t('security.passkeys.nameHelp') : null) },
    send: ({ name, password, code }) =>
      addPasskey(name.trim(), { password, totp_code: needsCode ? code.trim() : undefined }),
    fields: { totp_code: needsCode ? 'code' : null },
    outdated: ['passkeys.list'],
    success: t('security.passkeys.added'),
    onSent: onDone,
  });
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={t('security.passkeys.name')}
          description={t('security.passkeys.nameHelp')}
          maxLength={100}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <PasswordField
          label={t('security.ownPassword')}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
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
        {form.unsaid instanceof PasskeyNotMade ? (
          <Text size="sm" role="alert">
            {t(`security.passkeys.${form.unsaid.reason}`)}
          </Text>
        ) : (
          form.unsaid && <ProblemView error={form.unsaid} />
        )}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {t('security.passkeys.create')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
