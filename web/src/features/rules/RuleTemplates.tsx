import { Button, Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { ProblemView } from '../../ui/ProblemView';
import { QueryView } from '../../ui/QueryView';
import { Section } from '../../ui/Section';
import { useRuleText } from './rule-text';

/** Rules most mailboxes have a use for. One that is taken can be changed afterwards. */
export function RuleTemplates({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const textOf = useRuleText(accountId);
  const templates = useQuery(op('rules.listTemplates'));
  const create = useOperation('rules.createFromTemplate');
  const take = (templateId: string): void =>
    create.mutate(
      { accountId, body: { templateId } },
      { onSuccess: () => void invalidate(client, ['rules.list']) },
    );
  return (
    <Section title={t('rules.templates')}>
      {create.error && <ProblemView error={create.error} />}
      <QueryView query={templates}>
        {(all) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {all.map(({ id, dto }) => (
              <Paper key={id} withBorder p="sm">
                <Text size="sm">{textOf(dto)}</Text>
                <Button
                  mt="xs"
                  size="compact-xs"
                  variant="default"
                  aria-label={`${t('rules.take')}: ${textOf(dto)}`}
                  loading={create.isPending && create.variables.body.templateId === id}
                  onClick={() => take(id)}
                >
                  {t('rules.take')}
                </Button>
              </Paper>
            ))}
          </SimpleGrid>
        )}
      </QueryView>
    </Section>
  );
}
