import { Alert, Button, Checkbox, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { fieldErrors } from '../../ui/field-errors';
import { Page } from '../../ui/Page';
import { PasswordField } from '../../ui/PasswordField';
import { ProblemView } from '../../ui/ProblemView';
import { QueryView } from '../../ui/QueryView';
import { Section } from '../../ui/Section';

type Config = Schemas['StorageConfigResponse'];

const PLACES = ['local', 'objstore'] as const;

/** Storage of new archived mail: the disk of the service, or a bucket of the person. */
export function StoragePage(): ReactNode {
  const { t } = useTranslation();
  const config = useQuery(op('storage.getConfig'));
  return (
    <Page title={t('storage.title')}>
      <Text c="dimmed">{t('storage.intro')}</Text>
      <Section title={t('storage.place')}>
        <QueryView query={config}>
          {(found) => <StorageForm key={found.updated_at} config={found} />}
        </QueryView>
      </Section>
    </Page>
  );
}

/** Fields of the form, by those of the requests. */
const FIELDS = {
  objstoreEndpoint: 'endpoint',
  objstoreRegion: 'region',
  objstoreBucket: 'bucket',
  objstoreAccessKeyId: 'accessKeyId',
  objstoreSecretAccessKey: 'secretAccessKey',
} as const;

function StorageForm({ config }: { readonly config: Config }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const save = useOperation('storage.updateConfig');
  const test = useOperation('storage.testObjectStore');
  const form = useForm({
    initialValues: {
      type: config.type,
      endpoint: config.objstore_endpoint ?? '',
      region: config.objstore_region ?? '',
      bucket: config.objstore_bucket ?? '',
      accessKeyId: '',
      secretAccessKey: '',
      forcePathStyle: config.objstore_force_path_style ?? true,
    },
    // The test was of other values than those shown now.
    onValuesChange: () => test.reset(),
  });
  type Values = typeof form.values;
  const { setErrors } = form;
  const error = save.error ?? test.error;
  useEffect(() => {
    const found = Object.entries(fieldErrors(error));
    setErrors(
      Object.fromEntries(found.map(([field, text]) => [FIELDS[field as keyof typeof FIELDS] ?? field, text])),
    );
  }, [error, setErrors]);
  const tryIt = ({
    endpoint,
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    forcePathStyle,
  }: Values): void => {
    save.reset();
    test.mutate({
      body: {
        endpoint: endpoint.trim(),
        ...(region.trim() && { region: region.trim() }),
        ...(bucket.trim() && { bucket: bucket.trim() }),
        accessKeyId,
        secretAccessKey,
        forcePathStyle,
      },
    });
  };
  const keep = ({
    type,
    endpoint,
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    forcePathStyle,
  }: Values): void =>
    save.mutate(
      {
        body:
          type === 'local'
            ? { type }
            : {
                type,
                objstoreEndpoint: endpoint.trim(),
                ...(region.trim() && { objstoreRegion: region.trim() }),
                ...(bucket.trim() && { objstoreBucket: bucket.trim() }),
                objstoreAccessKeyId: accessKeyId,
                objstoreSecretAccessKey: secretAccessKey,
                objstoreForcePathStyle: forcePathStyle,
              },
      },
      {
        onSuccess: () => {
          notifications.show({ color: 'green', message: t('storage.saved') });
          void invalidate(client, ['storage.getConfig']);
        },
      },
    );
  const isBucket = form.getValues().type === 'objstore';
  return (
    <form onSubmit={form.onSubmit(keep)}>
      <Stack>
        <Radio.Group aria-label={t('storage.place')} {...form.getInputProps('type')}>
          <Stack gap="xs">
            {PLACES.map((place) => (
              <Radio key={place} value={place} label={t(`storage.places.${place}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {isBucket && (
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
        )}
        {test.isPending && (
          <Text size="sm" role="status">
            {t('storage.testing')}
          </Text>
        )}
        {test.data && (
          <Alert color={test.data.success ? 'green' : 'red'} role={test.data.success ? 'status' : 'alert'}>
            {test.data.success ? t('storage.works') : t('storage.fails', { error: test.data.error ?? '' })}
          </Alert>
        )}
        {error && <ProblemView error={error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t('storage.save')}
          </Button>
          {isBucket && (
            <Button variant="default" loading={test.isPending} onClick={() => form.onSubmit(tryIt)()}>
              {t('storage.test')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
