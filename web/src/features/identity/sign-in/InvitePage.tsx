import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { QueryView } from '../../../ui/QueryView';
import { ChoosePassword } from './ChoosePassword';
import { SignInLayout } from './SignInLayout';
import { SignInLink } from './SignInLink';

/** Token for an address that has none; the service refuses it as it refuses one that was used. */
const NO_TOKEN = 'x'.repeat(43);
const WELL_FORMED = /^[\w-]{43}$/;

/** For people whom an administrator has added: they choose their password. The token is behind the `#` of the address. */
export function InvitePage(): ReactNode {
  const { t } = useTranslation();
  const hash = useLocation({ select: (location) => location.hash });
  const token = WELL_FORMED.test(hash) ? hash : NO_TOKEN;
  const invitation = useQuery({
    queryKey: ['auth.readInvitation', token],
    queryFn: ({ signal }) => call('auth.readInvitation', { body: { token } }, { signal }),
    // An invitation that was used cannot be read again.
    staleTime: Infinity,
  });
  return (
    <SignInLayout title={t('signIn.inviteTitle')}>
      {() => (
        <>
          <QueryView query={invitation}>
            {(read) => <ChoosePassword invitation={read} token={token} />}
          </QueryView>
          {invitation.isError && <SignInLink />}
        </>
      )}
    </SignInLayout>
  );
}
