import { Stack, Text } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RegisterForm } from './RegisterForm';
import { SignInLayout } from './SignInLayout';

/** The first user of an installation. */
export function SetupPage(): ReactNode {
  const { t } = useTranslation();
  return (
    <SignInLayout title={t('signIn.setupTitle')}>
      {({ setupRequired, allowRegistration }) => {
        if (!setupRequired) return <Navigate to="/login" replace />;
        if (!allowRegistration) return <Text>{t('signIn.closed')}</Text>;
        return (
          <Stack>
            <Text>{t('signIn.setupText')}</Text>
            <RegisterForm submit={t('signIn.setupSubmit')} />
          </Stack>
        );
      }}
    </SignInLayout>
  );
}
