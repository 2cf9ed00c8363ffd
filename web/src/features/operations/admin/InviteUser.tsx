import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { Section } from '../../../ui/Section';
import { useServiceForm } from '../../../ui/use-service-form';
import { formatFullDate } from '../../../i18n/format';
import { InviteUrl } from './InviteUrl';

const ROLES = ['user', 'admin'] as const;

type Values = { readonly email: string; readonly name: string; readonly role: (typeof ROLES)[number] };

const BLANK: Values = { email: '', name: '', role: 'user' };

/** Adds a user, who gets the address of a page to choose a password at. */
export function InviteUser(): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  if (!opened)
    return (
      <Group>
        <Button size="xs" variant="default" onClick={() => setOpened(true)}>
          {t('admin.add')}
        </Button>
      </Group>
    );
  return (
    <Section title={t('admin.add')}>
      <InviteForm onClose={() => setOpened(false)} />
    </Section>
  );
}

function InviteForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: BLANK,
    validate: { email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : t('admin.emailWrong')) },
    send: ({ email, name, role }) =>
      call('admin.inviteUser', {
        body: { email: email.trim(), role, ...(name.trim() !== '' && { name: name.trim() }) },
      }),
    outdated: ['admin.listUsers', 'admin.getStats'],
  });
  if (form.answer)
    return (
      <Stack>
        <InviteUrl
          text={t('admin.invited', {
            email: form.answer.user.email,
            time: formatFullDate(form.answer.expires_at),
          })}
          label={t('admin.inviteUrl')}
          url={form.answer.inviteUrl}
        />
        <Group>
          <Button size="xs" onClick={onClose}>
            {t('admin.done')}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap="sm">
        <Text size="sm">{t('admin.addText')}</Text>
        <Group align="start" grow preventGrowOverflow={false}>
          <TextInput
            label={t('admin.email')}
            type="email"
            autoComplete="off"
            required
            {...form.getInputProps('email')}
          />
          <TextInput label={t('admin.name')} autoComplete="off" {...form.getInputProps('name')} />
          <NativeSelect
            label={t('admin.role')}
            {...form.getInputProps('role')}
            data={ROLES.map((value) => ({ value, label: t(`admin.roles.${value}`) }))}
          />
        </Group>
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button size="xs" type="submit" loading={form.isSending}>
            {t('admin.invite')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
