import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { useOperation } from '../../../api/op';
import { fieldErrors } from '../../../ui/field-errors';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';
import { configOf, testOf, type BucketValues } from './bucket-form';
import { BucketFields } from './BucketFields';

type Config = Schemas['StorageConfigResponse'];

const PLACES = ['local', 'objstore'] as const;

/** Fields of the form, by those of the requests. */
const FIELDS = {
  objstoreEndpoint: 'endpoint',
  objstoreRegion: 'region',
  objstoreBucket: 'bucket',
  objstoreAccessKeyId: 'accessKeyId',
  objstoreSecretAccessKey: 'secretAccessKey',
} as const;

/** Chooses the storage, and tests a bucket before it is saved. */
export function StorageForm({ config }: { readonly config: Config }): ReactNode {
  const { t } = useTranslation();
  const test = useOperation('storage.testObjectStore');
  const form = useServiceForm({
    initial: {
      type: config.type,
      endpoint: config.objstore_endpoint ?? '',
      region: config.objstore_region ?? '',
      bucket: config.objstore_bucket ?? '',
      accessKeyId: '',
      secretAccessKey: '',
      forcePathStyle: config.objstore_force_path_style ?? true,
    },
    send: ({ type, ...bucket }) =>
      call('storage.updateConfig', { body: type === 'local' ? { type } : { type, ...configOf(bucket) } }),
    fields: FIELDS,
    outdated: ['storage.getConfig'],
    success: t('storage.saved'),
    // The test was of other values than those shown now.
    onValuesChange: () => test.reset(),
  });
  const tryBucket = (bucket: BucketValues): void => {
    form.forget();
    test.mutate(
      { body: testOf(bucket) },
      { onError: (refusal) => form.setErrors({ ...fieldErrors(refusal) }) },
    );
  };
  const error = form.error ?? test.error;
  const isBucket = form.getValues().type === 'objstore';
  return (
    <form onSubmit={form.submit}>
      <Stack>
        <Radio.Group aria-label={t('storage.place')} {...form.getInputProps('type')}>
          <Stack gap="xs">
            {PLACES.map((place) => (
              <Radio key={place} value={place} label={t(`storage.places.${place}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {isBucket && <BucketFields form={form} />}
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
          <Button type="submit" loading={form.isSending}>
            {t('storage.save')}
          </Button>
          {isBucket && (
            <Button variant="default" loading={test.isPending} onClick={() => form.onSubmit(tryBucket)()}>
              {t('storage.test')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
