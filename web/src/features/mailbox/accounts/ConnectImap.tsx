import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { Section } from '../../../ui/Section';
import { useServiceForm } from '../../../ui/use-service-form';
import { FoundServers } from './FoundServers';

interface ConnectImapProps {
  readonly onDone: (email: string) => void;
  readonly onCancel: () => void;
}

/** Connects any mailbox: from its address to its server, which is tried before anything is kept. */
export function ConnectImap({ onDone, onCancel }: ConnectImapProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: { email: '' },
    send: async ({ email }) => {
      const asked = email.trim();
      return { email: asked, found: await call('imapAccounts.discover', { body: { email: asked } }) };
    },
  });
  if (form.answer)
    return (
      <Section title={t('mailboxes.imap.title')}>
        <FoundServers {...form.answer} onDone={onDone} onCancel={form.forget} />
      </Section>
    );
  return (
    <Section title={t('mailboxes.imap.title')}>
      <form onSubmit={form.submit}>
        <Stack>
          <TextInput
            label={t('mailboxes.imap.email')}
            description={t('mailboxes.imap.emailHelp')}
            type="email"
            autoComplete="email"
            required
            data-autofocus
            {...form.getInputProps('email')}
          />
          {form.unsaid && <ProblemView error={form.unsaid} />}
          <Group>
            <Button type="submit" loading={form.isSending}>
              {t('mailboxes.imap.find')}
            </Button>
            <Button variant="default" onClick={onCancel}>
              {t('common.cancel')}
            </Button>
          </Group>
          {form.isSending && <Text role="status">{t('mailboxes.imap.finding')}</Text>}
        </Stack>
      </form>
    </Section>
  );
}
