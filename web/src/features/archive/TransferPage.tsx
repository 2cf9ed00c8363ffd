import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../../api/me';
import { Page } from '../../ui/Page';
import { ExportForm } from './export/ExportForm';
import { FileImport } from './imports/FileImport';
import { ImapImport } from './imports/ImapImport';
import { CopiedMail } from './journal/CopiedMail';
import { RecentImports } from './imports/RecentImports';

/** Mail comes into the archive from files and other servers, and leaves it as files. */
export function TransferPage(): ReactNode {
  const { t } = useTranslation();
  const account = useAccount();
  if (!account) return null;
  return (
    <Page title={t('transfer.title')}>
      <Stack maw={900}>
        <FileImport account={account} />
        <RecentImports accountId={account.id} />
        <ImapImport account={account} />
        <CopiedMail accountId={account.id} />
        <ExportForm accountId={account.id} />
      </Stack>
    </Page>
  );
}
