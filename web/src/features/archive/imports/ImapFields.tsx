import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/PasswordField';
import type { InputProps, ServiceForm } from '../../../ui/use-service-form';
import { TLS_PORT, type ImapField, type ImapForm } from './imap-problem';

const PLAIN_PORT = 143;

/** The server, the login, and what is copied from there. */
export function ImapFields({ form }: { readonly form: ServiceForm<ImapForm> }): ReactNode {
  const { t } = useTranslation();
  const { secure, port } = form.getValues();
  const field = (name: ImapField): InputProps => form.getInputProps(name);
  const switchTls = (on: boolean): void => {
    form.setFieldValue('secure', on);
    // A port that the user has changed stays.
    if (port === (on ? PLAIN_PORT : TLS_PORT)) form.setFieldValue('port', on ? TLS_PORT : PLAIN_PORT);
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('imapImport.host')}
          placeholder={t('imapImport.hostPlaceholder')}
          autoComplete="off"
          required
          {...field('host')}
        />
        <NumberInput label={t('imapImport.port')} min={1} max={65_535} required {...field('port')} />
        <TextInput label={t('imapImport.user')} autoComplete="off" required {...field('user')} />
        <PasswordField
          label={t('imapImport.pass')}
          description={t('imapImport.passHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          required
          {...field('pass')}
        />
        <TextInput
          label={t('imapImport.folder')}
          description={t('imapImport.folderHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('folder')}
        />
        <NumberInput
          label={t('imapImport.most')}
          description={t('imapImport.mostHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          allowDecimal={false}
          {...field('maxMessages')}
        />
      </SimpleGrid>
      <Checkbox
        label={t('imapImport.secure')}
        description={secure ? undefined : t('imapImport.insecure')}
        checked={secure}
        error={field('secure').error as ReactNode}
        onChange={(event) => switchTls(event.currentTarget.checked)}
      />
    </>
  );
}
