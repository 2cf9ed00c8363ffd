import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/PasswordField';
import type { ServiceForm } from '../../../ui/use-service-form';
import { PORTS, type ImapForm } from './imap-form';

/** The server of a mailbox, and the login. */
export function ServerFields({ form }: { readonly form: ServiceForm<ImapForm> }): ReactNode {
  const { t } = useTranslation();
  const { security, port } = form.getValues();
  const protect = (next: string | null): void => {
    if (next !== 'tls' && next !== 'starttls') return;
    form.setFieldValue('security', next);
    // A port that the user has changed stays.
    if (port === PORTS[security]) form.setFieldValue('port', PORTS[next]);
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <PasswordField
        label={t('mailboxes.imap.password')}
        description={t('mailboxes.imap.passwordHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        required
        {...form.getInputProps('password')}
      />
      <TextInput
        label={t('mailboxes.imap.username')}
        autoComplete="off"
        required
        {...form.getInputProps('username')}
      />
      <TextInput
        label={t('mailboxes.imap.host')}
        autoComplete="off"
        required
        {...form.getInputProps('host')}
      />
      <NumberInput
        label={t('mailboxes.imap.port')}
        min={1}
        max={65_535}
        allowDecimal={false}
        required
        {...form.getInputProps('port')}
      />
      <Select
        label={t('mailboxes.imap.security')}
        allowDeselect={false}
        data={[
          { value: 'tls', label: t('mailboxes.imap.securities.tls') },
          { value: 'starttls', label: t('mailboxes.imap.securities.starttls') },
        ]}
        {...form.getInputProps('security')}
        onChange={protect}
      />
    </SimpleGrid>
  );
}
