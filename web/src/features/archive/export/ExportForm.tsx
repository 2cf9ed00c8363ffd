import { Button, Checkbox, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import type { Answer } from '@mailroom/sdk';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call, mailroom } from '../../../api/client';
import { op } from '../../../api/op';
import { formatBytes } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { saveFrom } from '../../../ui/save-file';
import { ExportFilter } from './ExportFilter';
import { BLANK, filterOf, mostOf, type ExportForm as Values } from './export-request';

const TYPING_MS = 300;

/** Takes mail out of the archive: which, as what, and how much that is. */
export function ExportForm({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const form = useForm<Values>({ initialValues: BLANK });
  const values = form.getValues();
  const [filter] = useDebouncedValue(filterOf(values), TYPING_MS);
  const found = useQuery({
    ...op('archive.getFacets', { accountId, ...filter }),
    placeholderData: keepPreviousData,
  });
  const prepare = useMutation({
    mutationFn: async ({ format, compress, passphrase, ...rest }: Values) => {
      const prepared = await call('archive.prepareExport', {
        accountId,
        body: { format, filter: filterOf({ ...BLANK, ...rest }), compress: format === 'zip' && compress },
        archivePassphrase: passphrase || undefined,
      });
      saveFrom(
        mailroom.urlOf('archive.downloadExport', { accountId, exportId: prepared.id }),
        prepared.filename,
      );
      return prepared;
    },
  });
  const { scope } = values;
  const isNothing = (facets: Facets): boolean => facets.total === 0 && scope === 'all';
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="export">
      <Title order={2} size="h4" id="export">
        {t('exportForm.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('exportForm.text')}
      </Text>
      <QueryView
        query={found}
        empty={{ when: isNothing, show: <EmptyState text={t('exportForm.nothing')} /> }}
      >
        {(facets) => (
          <form onSubmit={form.onSubmit((wanted) => prepare.mutate(wanted))}>
            <Stack>
              <Radio.Group label={t('exportForm.which')} {...form.getInputProps('scope')}>
                <Stack gap="xs" mt="xs">
                  <Radio value="all" label={t('exportForm.all')} />
                  <Radio value="some" label={t('exportForm.some')} />
                </Stack>
              </Radio.Group>
              {scope === 'some' && <ExportFilter form={form} />}
              <Radio.Group label={t('exportForm.format')} {...form.getInputProps('format')}>
                <Stack gap="xs" mt="xs">
                  <Radio value="zip" label={t('exportForm.zip')} />
                  <Radio value="mbox" label={t('exportForm.mbox')} />
                </Stack>
              </Radio.Group>
              {values.format === 'zip' && (
                <Checkbox
                  label={t('exportForm.compress')}
                  {...form.getInputProps('compress', { type: 'checkbox' })}
                />
              )}
              {facets.encrypted > 0 && (
                <PasswordField
                  label={t('exportForm.passphrase')}
                  description={t('exportForm.passphraseHelp', { count: facets.encrypted })}
                  autoComplete="off"
                  required
                  maw={420}
                  {...form.getInputProps('passphrase')}
                />
              )}
              <Amount values={values} facets={facets} busy={prepare.isPending || found.isFetching} />
              {prepare.isError && <ProblemView error={prepare.error} />}
              {prepare.data && <Started prepared={prepare.data} seen={facets.total} />}
            </Stack>
          </form>
        )}
      </QueryView>
    </Paper>
  );
}

type Facets = Answer<'archive.getFacets'>;

interface AmountProps {
  readonly values: Values;
  readonly facets: Facets;
  readonly busy: boolean;
}

/** Size of the export, on its button; or the reason why it is not possible. */
function Amount({ values, facets, busy }: AmountProps): ReactNode {
  const { t } = useTranslation();
  const { total, total_size: bytes } = facets;
  const most = mostOf(values);
  const isTooMany = total > most;
  return (
    <>
      <Text size="sm" role="status">
        {total === 0
          ? t('exportForm.none')
          : t('exportForm.count', { count: total, size: formatBytes(bytes) })}
      </Text>
      {isTooMany && (
        <Text size="sm" c="red" role="alert">
          {t(values.format === 'zip' ? 'exportForm.tooManyZip' : 'exportForm.tooManyMbox', {
            most,
          })}
        </Text>
      )}
      <Group>
        <Button type="submit" loading={busy} disabled={total === 0 || isTooMany}>
          {t('exportForm.submit', { count: total })}
        </Button>
      </Group>
    </>
  );
}

interface StartedProps {
  readonly prepared: Answer<'archive.prepareExport'>;
  /** Messages that the person saw. */
  readonly seen: number;
}

function Started({ prepared, seen }: StartedProps): ReactNode {
  const { t } = useTranslation();
  const { filename, mails } = prepared;
  return (
    <Text size="sm" role="status">
      {t('exportForm.started', { filename })} {mails !== seen && t('exportForm.changed', { count: mails })}
    </Text>
  );
}
