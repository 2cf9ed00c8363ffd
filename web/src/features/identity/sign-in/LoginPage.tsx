import { Anchor, Button, Divider, Stack, Text } from '@mantine/core';
import { Link, Navigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SingleSignOnFailure } from '../SingleSignOnFailure';
import { ForgottenPassword } from './ForgottenPassword';
import { hasPasskeys } from '../../../api/passkeys';
import { LoginForm } from './LoginForm';
import { PasskeyButton } from './PasskeyButton';
import { SignInLayout } from './SignInLayout';

/** Sign-in; without any user, the way to create the first one. */
export function LoginPage(): ReactNode {
  const { t } = useTranslation();
  const { next, error } = useSearch({ from: '/login' });
  return (
    <SignInLayout title={t('signIn.title')}>
      {({ setupRequired, allowRegistration, oidc, passkeys }) =>
        setupRequired ? (
          <Navigate to="/setup" replace />
        ) : (
          <Stack>
            {error && <SingleSignOnFailure code={error} />}
            {next && next !== '/' && <Text size="sm">{t('signIn.sessionOver')}</Text>}
            <LoginForm next={next} />
            <ForgottenPassword />
            {(oidc || offersPasskeys(passkeys)) && <Divider label={t('signIn.or')} />}
            {offersPasskeys(passkeys) && <PasskeyButton next={next} />}
            {oidc && (
              <Button component="a" href={ssoAddress(oidc.login_url, next)} variant="default">
                {t('signIn.with', { name: oidc.name })}
              </Button>
            )}
            {allowRegistration && (
              <Text size="sm">
                {t('signIn.newHere')}{' '}
                <Anchor component={Link} to="/register" underline="always">
                  {t('signIn.create')}
                </Anchor>
              </Text>
            )}
          </Stack>
        )
      }
    </SignInLayout>
  );
}

const offersPasskeys = (atThisAddress: boolean): boolean => atThisAddress && hasPasskeys();

function ssoAddress(loginUrl: string, next: string | undefined): string {
  const address = new URL(loginUrl);
  if (next) address.searchParams.set('return_to', next);
  return address.toString();
}
