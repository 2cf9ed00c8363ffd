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
import { KeyForm } from './KeyForm';
import { KeyItem } from './KeyItem';

/** Keys of programs, each shown once, when it is made. */
export function ApiKeysPage(): ReactNode {
  const { t } = useTranslation();
  const keys = useQuery(op('apiKeys.list'));
  const [isAdding, setIsAdding] = useState(false);
  return (
    <Page title={t('apiKeys.title')}>
      <Text c="dimmed">{t('apiKeys.intro')}</Text>
      {isAdding ? (
        <Section title={t('apiKeys.add')}>
          <KeyForm onDone={() => setIsAdding(false)} />
        </Section>
      ) : (
        <Group>
          <Button onClick={() => setIsAdding(true)}>{t('apiKeys.add')}</Button>
        </Group>
      )}
      <QueryView
        query={keys}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('apiKeys.none')} /> }}
      >
        {(all) => (
          <PlainList gap="xs" aria-label={t('apiKeys.title')}>
            {all.map((key) => (
              <KeyItem key={key.id} apiKey={key} />
            ))}
          </PlainList>
        )}
      </QueryView>
    </Page>
  );
}
