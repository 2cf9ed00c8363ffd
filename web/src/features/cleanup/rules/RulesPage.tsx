import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { EmptyState } from '../../../ui/EmptyState';
import { Page } from '../../../ui/Page';
import { PlainList } from '../../../ui/PlainList';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { RuleForm } from './RuleForm';
import { RuleItem } from './RuleItem';
import { RuleTemplates } from './RuleTemplates';

type Rule = Schemas['RuleResponse'];

/** Rules as sentences, each with the messages it would find. */
export function RulesPage(): ReactNode {
  const { t } = useTranslation();
  const { accountId } = useParams({ from: '/signed-in/a/$accountId/rules' });
  const rules = useQuery(op('rules.list', { accountId }));
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const close = (): void => setEdited(null);
  return (
    <Page title={t('rules.title')}>
      <Text c="dimmed">{t('rules.intro')}</Text>
      {edited === null ? (
        <Group>
          <Button onClick={() => setEdited('new')}>{t('rules.add')}</Button>
        </Group>
      ) : (
        <Section title={edited === 'new' ? t('rules.new') : t('rules.edit', { name: edited.name })}>
          <RuleForm
            key={edited === 'new' ? 'new' : edited.id}
            accountId={accountId}
            rule={edited === 'new' ? null : edited}
            onDone={close}
          />
        </Section>
      )}
      <QueryView
        query={rules}
        empty={{ when: (all) => all.length === 0, show: <EmptyState text={t('rules.none')} /> }}
      >
        {(all) => (
          <PlainList gap="sm" aria-label={t('rules.title')}>
            {all.map((rule) => (
              <RuleItem key={rule.id} accountId={accountId} rule={rule} onEdit={() => setEdited(rule)} />
            ))}
          </PlainList>
        )}
      </QueryView>
      <RuleTemplates accountId={accountId} />
    </Page>
  );
}
