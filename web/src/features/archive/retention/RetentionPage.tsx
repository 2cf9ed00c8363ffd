import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { PolicyForm } from './PolicyForm';
import { RunNow } from './RunNow';
import { PolicyItem } from './PolicyItem';

/** Retention policies of archived mail. A policy is created inactive, previewed, and activated afterwards. */
export function RetentionPage(): ReactNode {
  const { t } = useTranslation();
  const policies = useQuery(op('retention.list'));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page title={t('retention.title')}>
      <Text c="dimmed">{t('retention.intro')}</Text>
      {isAdding ? (
        <Section title={t('retention.new')}>
          <PolicyForm onDone={() => setIsAdding(false)} />
        </Section>
      ) : (
        <Group>
          <Button onClick={() => setIsAdding(true)}>{t('retention.add')}</Button>
          {policies.data?.some(({ is_active }) => is_active) && <RunNow />}
        </Group>
      )}
      <QueryView
        query={policies}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('retention.none')} /> }}
      >
        {(all) => (
          <PlainList gap="sm" aria-label={t('retention.title')}>
            {all.map((policy) => (
              <PolicyItem key={policy.id} policy={policy} />
            ))}
          </PlainList>
        )}
      </QueryView>
    </Page>
  );
}
