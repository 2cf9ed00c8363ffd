import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../api/op';
import { hasNoMailbox, useAccount } from '../../api/me';
import { ArchiveForecast } from '../../shared/forecast/ArchiveForecast';
import { Page } from '../../ui/Page';
import { QueryView } from '../../ui/QueryView';
import { Section } from '../../ui/Section';
import { ArchivingForm } from './continuous/ArchivingForm';
import { ArchivingHealth } from './continuous/ArchivingHealth';
import { Coverage } from './continuous/Coverage';
import { Integrity } from './integrity/Integrity';
import { OffloadPlans } from './offload/OffloadPlans';
import { OffloadSchedule } from './offload/OffloadSchedule';
import { Restores } from './restore/Restores';

/** The page of an archive without a mailbox has its checks and restores; that of a mailbox also its continuous archiving. */
export function KeepPage(): ReactNode {
  const { t } = useTranslation();
  const account = useAccount();
  if (!account || !hasNoMailbox(account)) return <KeptMailbox />;
  return (
    <Page title={t('shell.pages.integrity')}>
      <Restores accountId={account.id} />
      <Integrity accountId={account.id} />
    </Page>
  );
}

/** Keeping a whole mailbox: the switch, what became of each message, and moving out what is kept. */
function KeptMailbox(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/keep' });
  const archiving = useQuery(op('archiving.get', { accountId }));
  return (
    <Page title={t('keep.title')}>
      {archiving.data && <Text c="dimmed">{t(`keep.intros.${archiving.data.mode}`)}</Text>}
      <Section title={t('keep.archiving')}>
        <QueryView query={archiving}>
          {(settings) => (
            <>
              <ArchivingHealth accountId={accountId} archiving={settings} />
              <ArchiveForecast accountId={accountId} />
              <ArchivingForm accountId={accountId} archiving={settings} />
            </>
          )}
        </QueryView>
      </Section>
      {archiving.data && archiving.data.mode !== 'off' && (
        <>
          <Coverage accountId={accountId} isWatched={archiving.data.mode === 'watch'} />
          <OffloadPlans accountId={accountId} />
          <OffloadSchedule accountId={accountId} />
        </>
      )}
      <Restores accountId={accountId} />
      <Integrity accountId={accountId} />
    </Page>
  );
}
