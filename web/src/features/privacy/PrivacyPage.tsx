import { Tabs, Text } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../ui/Page';
import { Encryption } from './encrypt/Encryption';
import { PersonalData } from './pii/PersonalData';
import { Tracking } from './tracking/Tracking';

const TABS = ['tracking', 'pii', 'encryption'] as const;

/** Privacy of a mailbox: trackers in its mail, personal data in the archive, and the archive's encryption. */
export function PrivacyPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/privacy' });
  const { tab = 'tracking' } = useSearch({ from: '/signed-in/a/$accountId/privacy' });
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
          {TABS.map((one) => (
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
