import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/PasswordField';
import type { ServiceForm } from '../../../ui/use-service-form';
import type { RestoreForm } from './restore-request';

/** The address and the login of a server that is no mailbox here. */
export function RestoreServer({ form }: { readonly form: ServiceForm<RestoreForm> }): ReactNode {
  const { t } = useTranslation();
  const { secure } = form.getValues();
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('restore.host')}
          required
          autoComplete="off"
          maxLength={253}
          {...form.getInputProps('host')}
        />
        <NumberInput
          label={t('restore.port')}
          required
          min={1}
          max={65_535}
          allowDecimal={false}
          {...form.getInputProps('port')}
        />
        <TextInput
          label={t('restore.user')}
          required
          autoComplete="off"
          maxLength={512}
          {...form.getInputProps('user')}
        />
        <PasswordField
          label={t('restore.pass')}
          description={t('restore.passHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="off"
          maxLength={1_024}
          {...form.getInputProps('pass')}
        />
      </SimpleGrid>
      <TextInput
        label={t('restore.root')}
        description={t('restore.rootHelp')}
        maxLength={512}
        {...form.getInputProps('root')}
      />
      <Checkbox
        label={t('restore.secure')}
        description={secure ? undefined : t('restore.insecure')}
        {...form.getInputProps('secure', { type: 'checkbox' })}
      />
    </>
  );
}
