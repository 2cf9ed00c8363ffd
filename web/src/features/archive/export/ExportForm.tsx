import { Checkbox, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call, mailroom } from '../../../api/client';
import { op } from '../../../api/op';
import { EmptyState } from '../../../ui/EmptyState';
import { PasswordField } from '../../../ui/PasswordField';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { saveFrom } from '../../../ui/save-file';
import { useServiceForm } from '../../../ui/use-service-form';
import { ExportAmount, ExportStarted, type Facets } from './ExportAmount';
import { ExportFilter } from './ExportFilter';
import { BLANK, FIELDS, filterOf } from './export-request';

const TYPING_MS = 300;

/** Takes mail out of the archive: which, as what, and how much that is. */
export function ExportForm({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: BLANK,
    send: async ({ format, compress, passphrase, ...rest }) => {
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
    fields: FIELDS,
  });
  const values = form.getValues();
  const [filter] = useDebouncedValue(filterOf(values), TYPING_MS);
  const found = useQuery({
    ...op('archive.getFacets', { accountId, ...filter }),
    placeholderData: keepPreviousData,
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
          <form onSubmit={form.submit}>
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
              <ExportAmount values={values} facets={facets} busy={form.isSending || found.isFetching} />
              {form.unsaid && <ProblemView error={form.unsaid} />}
              {form.answer && <ExportStarted prepared={form.answer} seen={facets.total} />}
            </Stack>
          </form>
        )}
      </QueryView>
    </Paper>
  );
}
