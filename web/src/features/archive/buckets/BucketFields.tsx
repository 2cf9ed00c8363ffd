import { Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../ui/PasswordField';
import type { BucketForm } from './bucket-form';

/** The address of a bucket, and the keys to it. */
export function BucketFields({ form }: { readonly form: BucketForm }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('storage.endpoint')}
          placeholder={t('storage.endpointPlaceholder')}
          required
          maxLength={2_048}
          {...form.getInputProps('endpoint')}
        />
        <TextInput
          label={t('storage.region')}
          description={t('storage.regionHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={64}
          {...form.getInputProps('region')}
        />
        <TextInput
          label={t('storage.bucket')}
          description={t('storage.bucketHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={63}
          {...form.getInputProps('bucket')}
        />
        <TextInput
          label={t('storage.accessKeyId')}
          required
          autoComplete="off"
          maxLength={256}
          {...form.getInputProps('accessKeyId')}
        />
        <PasswordField
          label={t('storage.secretAccessKey')}
          description={t('storage.secretHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="off"
          maxLength={1_024}
          {...form.getInputProps('secretAccessKey')}
        />
      </SimpleGrid>
      <Checkbox
        label={t('storage.pathStyle')}
        description={t('storage.pathStyleHelp')}
        {...form.getInputProps('forcePathStyle', { type: 'checkbox' })}
      />
    </>
  );
}
