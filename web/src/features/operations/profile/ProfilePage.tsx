import { Button, Group, Stack, Table, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { useMe } from '../../../api/me';
import { formatBytes, formatFullDate, formatNumber } from '../../../i18n/format';
import { Page } from '../../../ui/Page';
import { ProblemView } from '../../../ui/ProblemView';
import { Section } from '../../../ui/Section';
import { useServiceForm } from '../../../ui/use-service-form';
import { WrappingCell, WrappingHead } from '../../../ui/WrappingCell';

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
                <WrappingHead scope="row" w="40%">
                  {name}
                </WrappingHead>
                <WrappingCell>{value}</WrappingCell>
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
  const form = useServiceForm({
    initial: { name: name ?? '' },
    send: ({ name: typed }) => call('auth.updateMe', { body: { name: typed.trim() || null } }),
    outdated: ['auth.me'],
    success: t('settings.saved'),
    onSent: ({ name: saved }) => {
      form.setValues({ name: saved ?? '' });
      form.resetDirty({ name: saved ?? '' });
    },
  });
  return (
    <form onSubmit={form.submit}>
      <Stack gap="sm" maw={480}>
        <TextInput
          label={t('settings.profile.name')}
          description={t('settings.profile.nameHelp')}
          autoComplete="name"
          maxLength={200}
          {...form.getInputProps('name')}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" loading={form.isSending} disabled={!form.isDirty()}>
            {t('settings.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
