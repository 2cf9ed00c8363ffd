import { Button, Group, Text } from '@mantine/core';
import type { Answer } from '@mailroom/sdk';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../../i18n/format';
import { mostOf, type ExportForm as Values } from './export-request';

export type Facets = Answer<'archive.getFacets'>;

interface ExportAmountProps {
  readonly values: Values;
  readonly facets: Facets;
  readonly busy: boolean;
}

/** Size of the export, on its button; or the reason why it is not possible. */
export function ExportAmount({ values, facets, busy }: ExportAmountProps): ReactNode {
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

interface ExportStartedProps {
  readonly prepared: Answer<'archive.prepareExport'>;
  /** Messages that the person saw. */
  readonly seen: number;
}

/** The name of the file that the browser saves now. */
export function ExportStarted({ prepared, seen }: ExportStartedProps): ReactNode {
  const { t } = useTranslation();
  const { filename, mails } = prepared;
  return (
    <Text size="sm" role="status">
      {t('exportForm.started', { filename })} {mails !== seen && t('exportForm.changed', { count: mails })}
    </Text>
  );
}
