import { Button, Group } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatFullDate } from '../../../i18n/format';
import { ProblemView } from '../../../ui/ProblemView';
import { DeleteUser } from './DeleteUser';
import { InviteUrl } from './InviteUrl';

interface UserActionsProps {
  readonly user: Schemas['AdminUserResponse'];
  /** Whether the user is the administrator who looks at them. */
  readonly isSelf: boolean;
  readonly onDone: () => void;
  /** The first button of the row. */
  readonly children: ReactNode;
}

/** Buttons for one user: links to come in with, the role that they wait for, and their deletion. */
export function UserActions({ user, isSelf, onDone, children }: UserActionsProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const update = useOperation('admin.updateUser');
  const resetPassword = useOperation('admin.createPasswordReset');
  const inviteAgain = useOperation('admin.inviteUserAgain');
  const { id: userId, email } = user;
  const refuseRole = (): void =>
    update.mutate(
      { userId, body: { role: 'user' } },
      {
        onSuccess: () => {
          void invalidate(client, ['admin.listUsers', 'admin.getStats']);
          onDone();
        },
      },
    );
  const error = update.error ?? inviteAgain.error ?? resetPassword.error;
  const hasCome = user.last_login_at !== null;
  return (
    <>
      {error && <ProblemView error={error} />}
      {inviteAgain.data && (
        <InviteUrl
          text={t('admin.invited', { email, time: formatFullDate(inviteAgain.data.expires_at) })}
          label={t('admin.inviteUrl')}
          url={inviteAgain.data.inviteUrl}
        />
      )}
      {resetPassword.data && (
        <InviteUrl
          text={t('admin.resetLink', { email, time: formatFullDate(resetPassword.data.expires_at) })}
          label={t('admin.resetUrl')}
          url={resetPassword.data.resetUrl}
        />
      )}
      <Group>
        {children}
        {user.awaits_admin_role && (
          <Button size="xs" variant="default" loading={update.isPending} onClick={refuseRole}>
            {t('admin.refuseRole')}
          </Button>
        )}
        {user.is_active && !hasCome && (
          <Button
            size="xs"
            variant="default"
            loading={inviteAgain.isPending}
            onClick={() => inviteAgain.mutate({ userId })}
          >
            {t('admin.inviteAgain')}
          </Button>
        )}
        {user.is_active && hasCome && (
          <Button
            size="xs"
            variant="default"
            loading={resetPassword.isPending}
            onClick={() => resetPassword.mutate({ userId })}
          >
            {t('admin.resetPassword')}
          </Button>
        )}
        {!isSelf && <DeleteUser userId={userId} email={email} />}
      </Group>
    </>
  );
}
