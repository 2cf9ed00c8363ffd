import { Tabs, Text } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hasNoMailbox, useAccount } from '../../api/me';
import { Page } from '../../ui/Page';
import { Encryption } from './encrypt/Encryption';
import { PersonalData } from './pii/PersonalData';
import { Tracking } from './tracking/Tracking';

const TABS = ['tracking', 'pii', 'encryption'] as const;
/** Trackers are looked for in the live mailbox. */
const OF_ARCHIVE = TABS.filter((tab) => tab !== 'tracking');

/** Privacy of a mailbox: trackers in its mail, personal data in the archive, and the archive's encryption. */
export function PrivacyPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/privacy' });
  const account = useAccount();
  const tabs = account && hasNoMailbox(account) ? OF_ARCHIVE : TABS;
  const { tab: asked } = useSearch({ from: '/signed-in/a/$accountId/privacy' });
  const tab = tabs.find((one) => one === asked) ?? tabs[0];
  const navigate = useNavigate({ from: '/a/$accountId/privacy' });
  return (
    <Page title={t('privacy.title')}>
      <Text c="dimmed">{t('privacy.intro')}</Text>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) =>
          void navigate({ search: { tab: TABS.find((one) => one === chosen) }, replace: true })
        }
      >
        <Tabs.List>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`privacy.tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="tracking" pt="md">
          <Tracking accountId={accountId} />
        </Tabs.Panel>
        <Tabs.Panel value="pii" pt="md">
          <PersonalData accountId={accountId} />
        </Tabs.Panel>
        <Tabs.Panel value="encryption" pt="md">
          <Encryption accountId={accountId} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
