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
import { WebhookForm } from './WebhookForm';
import { WebhookItem } from './WebhookItem';

/** Receivers of events, with what was delivered to them. */
export function WebhooksPage(): ReactNode {
  const { t } = useTranslation();
  const webhooks = useQuery(op('webhooks.list'));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page title={t('webhooks.title')}>
      <Text c="dimmed">{t('webhooks.intro')}</Text>
      {isAdding ? (
        <Section title={t('webhooks.add')}>
          <WebhookForm onDone={() => setIsAdding(false)} />
        </Section>
      ) : (
        <Group>
          <Button onClick={() => setIsAdding(true)}>{t('webhooks.add')}</Button>
        </Group>
      )}
      <QueryView
        query={webhooks}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('webhooks.none')} /> }}
      >
        {(all) => (
          <PlainList gap="xs" aria-label={t('webhooks.title')}>
            {all.map((webhook) => (
              <WebhookItem key={webhook.id} webhook={webhook} />
            ))}
          </PlainList>
        )}
      </QueryView>
    </Page>
  );
}
