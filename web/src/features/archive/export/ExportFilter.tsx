import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceForm } from '../../../ui/use-service-form';
import type { ExportForm } from './export-request';

/** Which messages leave, where it is not all of them. */
export function ExportFilter({ form }: { readonly form: ServiceForm<ExportForm> }): ReactNode {
  const { t } = useTranslation();
  const { from, to } = form.getValues();
  return (
    <>
      <TextInput
        label={t('exportForm.words')}
        description={t('exportForm.wordsHelp')}
        {...form.getInputProps('words')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('exportForm.sender')} autoComplete="off" {...form.getInputProps('sender')} />
        <TextInput
          label={t('exportForm.recipient')}
          autoComplete="off"
          {...form.getInputProps('recipient')}
        />
        <TextInput type="date" label={t('exportForm.from')} max={to} {...form.getInputProps('from')} />
        <TextInput type="date" label={t('exportForm.to')} min={from} {...form.getInputProps('to')} />
      </SimpleGrid>
      <Checkbox
        label={t('exportForm.attachments')}
        {...form.getInputProps('attachments', { type: 'checkbox' })}
      />
    </>
  );
}
