import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { Page } from '../../../ui/Page';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { StorageForm } from './StorageForm';

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
