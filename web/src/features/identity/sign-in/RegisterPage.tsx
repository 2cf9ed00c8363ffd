import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../../ui/problem-text';
import { RegisterForm } from './RegisterForm';
import { SignInLayout } from './SignInLayout';
import { SignInLink } from './SignInLink';

/** A new user of an installation whose registration is open. */
export function RegisterPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <SignInLayout title={t('signIn.registerTitle')}>
      {({ allowRegistration }) => (
        <Stack>
          {allowRegistration ? (
            <RegisterForm submit={t('signIn.registerSubmit')} />
          ) : (
            <Text>{problemText({ code: 'registration-closed', detail: null })}</Text>
          )}
          <SignInLink />
        </Stack>
      )}
    </SignInLayout>
  );
}
