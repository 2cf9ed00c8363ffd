import { Button, Checkbox, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { useMe } from '../../../api/me';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { UserActions } from './UserActions';
import { FieldGrid } from '../../../ui/Grids';

type User = Schemas['AdminUserResponse'];

const GIB = 1024 ** 3;

/** Fields of the form, by those of the request. */
const FIELDS = {
  is_active: 'isActive',
  max_mailbox_accounts: 'maxAccounts',
  storage_quota_bytes: 'quota',
} as const;

type Values = {
  readonly role: User['role'];
  readonly isActive: boolean;
  /** A number unless the field is empty. */
  readonly maxAccounts: number | string;
  /** In GiB. */
  readonly quota: number | string;
};

const valuesOf = (user: User): Values => ({
  role: user.role,
  isActive: user.is_active,
  maxAccounts: user.max_mailbox_accounts,
  quota: Math.round((user.storage_quota_bytes / GIB) * 100) / 100,
});

interface UserFormProps {
  readonly user: User;
  readonly onDone: () => void;
}

/** Role, limits and access of a user, and what else can be done about them. */
export function UserForm({ user, onDone }: UserFormProps): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const isSelf = user.id === me.user.id;
  const form = useServiceForm({
    initial: valuesOf(user),
    send: ({ role, isActive, maxAccounts, quota }) =>
      call('admin.updateUser', {
        userId: user.id,
        body: {
          ...(role !== user.role && { role }),
          ...(isActive !== user.is_active && { is_active: isActive }),
          ...(typeof maxAccounts === 'number' && { max_mailbox_accounts: maxAccounts }),
          ...(typeof quota === 'number' && { storage_quota_bytes: Math.round(quota * GIB) }),
        },
      }),
    fields: FIELDS,
    outdated: ['admin.listUsers', 'admin.getStats'],
    success: t('admin.saved'),
    onSent: onDone,
  });
  return (
    <Stack gap="sm" mt="sm">
      {user.awaits_admin_role && <Text size="sm">{t('admin.awaitsRoleText')}</Text>}
      <form id={formIdOf(user)} onSubmit={form.submit}>
        <Stack gap="sm">
          {/* Beside each other they are too narrow for a phone. */}
          <FieldGrid cols={{ base: 1, sm: 3 }}>
            <NativeSelect
              label={t('admin.role')}
              disabled={isSelf}
              {...form.getInputProps('role')}
              data={(['user', 'admin'] as const).map((value) => ({
                value,
                label: t(`admin.roles.${value}`),
              }))}
            />
            <NumberInput
              label={t('admin.maxAccounts')}
              min={0}
              allowDecimal={false}
              hideControls
              {...form.getInputProps('maxAccounts')}
            />
            <NumberInput label={t('admin.quota')} min={0} hideControls {...form.getInputProps('quota')} />
          </FieldGrid>
          <Checkbox
            label={t('admin.active')}
            disabled={isSelf}
            {...form.getInputProps('isActive', { type: 'checkbox' })}
          />
          {form.unsaid && <ProblemView error={form.unsaid} />}
        </Stack>
      </form>
      <UserActions user={user} isSelf={isSelf} onDone={onDone}>
        <Button
          size="xs"
          type="submit"
          form={formIdOf(user)}
          loading={form.isSending}
          disabled={!form.isDirty()}
        >
          {t('admin.save')}
        </Button>
      </UserActions>
    </Stack>
  );
}

const formIdOf = ({ id }: User): string => `user-${id}`;
