import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const COMMAND = 'node dist/src/cli/main.js user:reset-password <e-mail>';

/** The two ways back into an account whose password is lost. */
export function ForgottenPassword(): ReactNode {
  const { t } = useTranslation();
  return (
    <details>
      <Text component="summary" size="sm">
        {t('signIn.forgotten')}
      </Text>
      <Stack gap="xs" mt="xs">
        <Text size="sm">{t('signIn.forgottenAdmin')}</Text>
        <Text size="sm">{t('signIn.forgottenOperator')}</Text>
        <Code>{COMMAND}</Code>
      </Stack>
    </details>
  );
}
