import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { QueryView } from '../../../ui/QueryView';
import { ResetPassword } from './ResetPassword';
import { SignInLayout } from './SignInLayout';
import { SignInLink } from './SignInLink';

/** Stands for an address without a link; the service refuses it as it refuses one that was used. */
const NO_TOKEN = 'x'.repeat(43);
const WELL_FORMED = /^[\w-]{43}$/;

/** For people to whom an administrator gave a link: they choose another password. The token is behind the `#`. */
export function ResetPasswordPage(): ReactNode {
  const { t } = useTranslation();
  const hash = useLocation({ select: (location) => location.hash });
  const token = WELL_FORMED.test(hash) ? hash : NO_TOKEN;
  const link = useQuery({
    queryKey: ['auth.readPasswordReset', token],
    queryFn: ({ signal }) => call('auth.readPasswordReset', { body: { token } }, { signal }),
    // A link that was used cannot be read again.
    staleTime: Infinity,
  });
  return (
    <SignInLayout title={t('signIn.resetTitle')}>
      {() => (
        <>
          <QueryView query={link}>{(read) => <ResetPassword link={read} token={token} />}</QueryView>
          {link.isError && <SignInLink />}
        </>
      )}
    </SignInLayout>
  );
}
