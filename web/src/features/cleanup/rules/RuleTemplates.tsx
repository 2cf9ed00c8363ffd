import { Button, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { hasText } from '../../../i18n';
import type { rules as english } from '../../../i18n/en/rules';
import { ProblemView } from '../../../ui/ProblemView';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { useRuleText } from './rule-text';

type Template = Schemas['RuleTemplateResponse'];

/** The name and the description of a template in the language of the page; of one that is not known here, the service's. */
function useTemplateTexts(): (template: Template) => { readonly name: string; readonly description: string } {
  const { t } = useTranslation();
  return ({ id, name, description }) =>
    isKnown(id)
      ? { name: t(`rules.templateTexts.${id}.name`), description: t(`rules.templateTexts.${id}.text`) }
      : { name, description };
}

const isKnown = (id: string): id is keyof typeof english.templateTexts =>
  hasText(`rules.templateTexts.${id}.name`);

/** Rules most mailboxes have a use for. One that is taken can be changed afterwards. */
export function RuleTemplates({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const textOf = useRuleText(accountId);
  const templates = useQuery(op('rules.listTemplates'));
  const namesOf = useTemplateTexts();
  // Not from the template by its id: the service would give the rule an English name.
  const create = useOperation('rules.create');
  const [taken, setTaken] = useState<string | null>(null);
  const take = (template: Template): void => {
    setTaken(template.id);
    const { conditions, action, schedule } = template.dto;
    create.mutate(
      { accountId, body: { ...namesOf(template), conditions, action, schedule, is_active: true } },
      { onSuccess: () => void invalidate(client, ['rules.list']) },
    );
  };
  return (
    <Section title={t('rules.templates')}>
      {create.error && <ProblemView error={create.error} />}
      <QueryView query={templates}>
        {(all) => (
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {all.map((template) => (
              <Paper key={template.id} withBorder p="sm">
                <Text fw={600}>{namesOf(template).name}</Text>
                <Text size="sm">{textOf(template.dto)}</Text>
                <Button
                  mt="xs"
                  size="compact-xs"
                  variant="default"
                  aria-label={t('common.named', { what: t('rules.take'), name: namesOf(template).name })}
                  loading={create.isPending && taken === template.id}
                  onClick={() => take(template)}
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
