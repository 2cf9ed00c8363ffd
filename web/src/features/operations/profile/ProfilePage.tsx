import { Button, Group, Stack, Table, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../../api/me';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatBytes, formatFullDate, formatNumber } from '../../../i18n/format';
import { fieldErrors } from '../../../ui/field-errors';
import { Page } from '../../../ui/Page';
import { ProblemView } from '../../../ui/ProblemView';
import { Section } from '../../../ui/Section';

/** Profile of the person: their name, which they may change, and the settings of administrators. */
export function ProfilePage(): ReactNode {
  const { t } = useTranslation();
  const { user, mailboxAccounts, storageUsedBytes } = useMe();
  const connected = mailboxAccounts.filter(({ status }) => status !== 'disconnected').length;
  const facts: readonly (readonly [string, string])[] = [
    [t('settings.profile.email'), user.email],
    [t('settings.profile.role'), t(`settings.profile.roles.${user.role}`)],
    [t('settings.profile.since'), formatFullDate(user.created_at)],
    [
      t('settings.profile.mailboxes'),
      t('settings.profile.used', {
        used: formatNumber(connected),
        most: formatNumber(user.max_mailbox_accounts),
      }),
    ],
    [
      t('settings.profile.storage'),
      t('settings.profile.used', {
        used: formatBytes(storageUsedBytes),
        most: formatBytes(user.storage_quota_bytes),
      }),
    ],
  ];
  return (
    <Page title={t('settings.profile.title')}>
      <Section title={t('settings.profile.name')}>
        <NameForm name={user.name} />
      </Section>
      <Section title={t('settings.profile.account')}>
        <Table variant="vertical" aria-label={t('settings.profile.account')}>
          <Table.Tbody>
            {facts.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" w="40%">
                  {name}
                </Table.Th>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Section>
    </Page>
  );
}

function NameForm({ name }: { readonly name: string | null }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const update = useOperation('auth.updateMe');
  const form = useForm({ initialValues: { name: name ?? '' } });
  const wrong = fieldErrors(update.error);
  const save = ({ name: typed }: typeof form.values): void =>
    update.mutate(
      { body: { name: typed.trim() || null } },
      {
        onSuccess: ({ name: saved }) => {
          form.setValues({ name: saved ?? '' });
          form.resetDirty({ name: saved ?? '' });
          notifications.show({ message: t('settings.saved') });
          void invalidate(client, ['auth.me']);
        },
      },
    );
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={t('settings.profile.name')}
          description={t('settings.profile.nameHelp')}
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('name')}
          error={wrong['name']}
        />
        {update.error && !wrong['name'] && <ProblemView error={update.error} />}
        <Group>
          <Button type="submit" loading={update.isPending} disabled={!form.isDirty()}>
            {t('settings.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
