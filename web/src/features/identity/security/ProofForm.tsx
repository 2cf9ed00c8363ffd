import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { OperationId, Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

interface ProofFormProps<Answer> {
  readonly text: string;
  readonly verb: string;
  /** Whether a code is asked for as well. */
  readonly needsCode?: boolean;
  /** Calls the operation that wants the proof. */
  readonly send: (proof: Schemas['TwoFactorProofDto']) => Promise<Answer>;
  readonly outdated?: readonly OperationId[];
  readonly onSent?: (answer: Answer) => void;
  readonly onCancel: () => void;
}

/** Password and code, before something about the sign-in changes. */
export function ProofForm<Answer>({
  text,
  verb,
  needsCode = true,
  send,
  outdated,
  onSent,
  onCancel,
}: ProofFormProps<Answer>): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { password: '', code: '' },
    send: ({ password, code }) => send({ password, totp_code: code.trim() }),
    fields: { totp_code: needsCode ? 'code' : null },
    outdated,
    onSent,
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw={480}>
        <Text size="sm">{text}</Text>
        <PasswordField
          label={t('security.ownPassword')}
          autoComplete="current-password"
          required
          data-autofocus
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
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending}>
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
