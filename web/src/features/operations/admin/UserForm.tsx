import { Button, Checkbox, Group, NativeSelect, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatFullDate } from '../../../i18n/format';
import { showStarted } from '../../../jobs/job-toast';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { InviteUrl } from './InviteUrl';

type User = Schemas['AdminUserResponse'];

const GIB = 1024 ** 3;

interface UserFormProps {
  readonly user: User;
  readonly onDone: () => void;
}

/** Role, limits and access of a user, and their deletion. */
export function UserForm({ user, onDone }: UserFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMe();
  const [asked, setAsked] = useState(false);
  const update = useOperation('admin.updateUser');
  const remove = useOperation('admin.deleteUser');
  const resetPassword = useOperation('admin.createPasswordReset');
  const inviteAgain = useOperation('admin.inviteUserAgain');
  const isSelf = user.id === me.user.id;
  const form = useForm({
    initialValues: {
      role: user.role,
      isActive: user.is_active,
      maxAccounts: user.max_mailbox_accounts as number | string,
      quota: (Math.round((user.storage_quota_bytes / GIB) * 100) / 100) as number | string,
    },
  });
  const changed = (): void => void invalidate(client, ['admin.listUsers', 'admin.getStats']);
  const save = ({ role, isActive, maxAccounts, quota }: typeof form.values): void =>
    update.mutate(
      {
        userId: user.id,
        body: {
          ...(role !== user.role && { role }),
          ...(isActive !== user.is_active && { is_active: isActive }),
          ...(typeof maxAccounts === 'number' && { max_mailbox_accounts: maxAccounts }),
          ...(typeof quota === 'number' && { storage_quota_bytes: Math.round(quota * GIB) }),
        },
      },
      {
        onSuccess: () => {
          changed();
          onDone();
        },
      },
    );
  const refuseRole = (): void =>
    update.mutate(
      { userId: user.id, body: { role: 'user' } },
      {
        onSuccess: () => {
          changed();
          onDone();
        },
      },
    );
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="sm" mt="sm">
        {user.awaits_admin_role && <Text size="sm">{t('admin.awaitsRoleText')}</Text>}
        {/* Beside each other they are too narrow for a phone. */}
        <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
          <NativeSelect
            label={t('admin.role')}
            disabled={isSelf}
            {...form.getInputProps('role')}
            data={(['user', 'admin'] as const).map((value) => ({ value, label: t(`admin.roles.${value}`) }))}
          />
          <NumberInput
            label={t('admin.maxAccounts')}
            min={0}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('maxAccounts')}
          />
          <NumberInput label={t('admin.quota')} min={0} hideControls {...form.getInputProps('quota')} />
        </SimpleGrid>
        <Checkbox
          label={t('admin.active')}
          disabled={isSelf}
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
        {update.error && <ProblemView error={update.error} />}
        {inviteAgain.error && <ProblemView error={inviteAgain.error} />}
        {inviteAgain.data && (
          <InviteUrl
            text={t('admin.invited', {
              email: user.email,
              time: formatFullDate(inviteAgain.data.expires_at),
            })}
            label={t('admin.inviteUrl')}
            url={inviteAgain.data.inviteUrl}
          />
        )}
        {resetPassword.error && <ProblemView error={resetPassword.error} />}
        {resetPassword.data && (
          <InviteUrl
            text={t('admin.resetLink', {
              email: user.email,
              time: formatFullDate(resetPassword.data.expires_at),
            })}
            label={t('admin.resetUrl')}
            url={resetPassword.data.resetUrl}
          />
        )}
        <Group>
          <Button size="xs" type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            {t('admin.save')}
          </Button>
          {user.awaits_admin_role && (
            <Button size="xs" variant="default" loading={update.isPending} onClick={refuseRole}>
              {t('admin.refuseRole')}
            </Button>
          )}
          {user.last_login_at === null && user.is_active && (
            <Button
              size="xs"
              variant="default"
              loading={inviteAgain.isPending}
              onClick={() => inviteAgain.mutate({ userId: user.id })}
            >
              {t('admin.inviteAgain')}
            </Button>
          )}
          {user.last_login_at !== null && user.is_active && (
            <Button
              size="xs"
              variant="default"
              loading={resetPassword.isPending}
              onClick={() => resetPassword.mutate({ userId: user.id })}
            >
              {t('admin.resetPassword')}
            </Button>
          )}
          {!isSelf && (
            <Button size="xs" variant="default" onClick={() => setAsked(true)}>
              {t('admin.delete')}
            </Button>
          )}
        </Group>
      </Stack>
      <Confirm
        opened={asked}
        title={t('admin.deleteTitle', { email: user.email })}
        text={t('admin.deleteText')}
        verb={t('admin.delete')}
        destroys
        typed={{ value: user.email, label: t('admin.type', { email: user.email }) }}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { userId: user.id },
            {
              onSuccess: ({ jobId }) => {
                setAsked(false);
                showStarted(jobId, t('admin.deleting', { email: user.email }));
                changed();
              },
            },
          )
        }
        onClose={() => setAsked(false)}
      />
    </form>
  );
}
