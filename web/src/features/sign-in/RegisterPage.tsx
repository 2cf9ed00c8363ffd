import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../ui/problem-text';
import { RegisterForm } from './RegisterForm';
import { SignInLayout } from './SignInLayout';

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
          <Text size="sm">
            {t('signIn.haveAccount')}{' '}
            <Anchor component={Link} to="/login" underline="always">
              {t('signIn.submit')}
            </Anchor>
          </Text>
        </Stack>
      )}
    </SignInLayout>
  );
}
