import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../../ui/field-errors';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';

interface ProofFormProps {
  readonly text: string;
  readonly verb: string;
  /** Whether a code is asked for as well. */
  readonly needsCode?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSubmit: (proof: Schemas['TwoFactorProofDto']) => void;
  readonly onCancel: () => void;
}

/** Password and code, before something about the sign-in changes. */
export function ProofForm({
  text,
  verb,
  needsCode = true,
  busy,
  error,
  onSubmit,
  onCancel,
}: ProofFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const wrong = fieldErrors(error);
  const saysWhy = 'password' in wrong || (needsCode && 'totp_code' in wrong);
  return (
    <form onSubmit={form.onSubmit(({ password, code }) => onSubmit({ password, totp_code: code.trim() }))}>
      <Stack gap="sm" maw={480}>
        <Text size="sm">{text}</Text>
        <PasswordField
          label={t('security.ownPassword')}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('password')}
          error={wrong['password']}
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
        {error !== null && error !== undefined && !saysWhy && <ProblemView error={error} />}
        <Group>
          <Button type="submit" loading={busy}>
            {verb}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
