import { Button, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
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

/** Chapters of the templates, in the order in which they are shown. */
const CATEGORIES: readonly Template['category'][] = ['cleanup', 'organize', 'archive'];

/** Rules most mailboxes have a use for. One that is taken can be changed afterwards. */
export function RuleTemplates({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
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
          <Stack>
            {CATEGORIES.map((category) => (
              <section key={category}>
                <Title order={3} size="h6" mb="xs">
                  {t(`rules.templateCategories.${category}`)}
                </Title>
                <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
                  {all
                    .filter((template) => template.category === category)
                    .map((template) => (
                      <TemplateCard
                        key={template.id}
                        {...namesOf(template)}
                        busy={create.isPending && taken === template.id}
                        onTake={() => take(template)}
                      />
                    ))}
                </SimpleGrid>
              </section>
            ))}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

interface TemplateCardProps {
  readonly name: string;
  readonly description: string;
  readonly busy: boolean;
  readonly onTake: () => void;
}

/** A template by its name and what a rule of it does. */
function TemplateCard({ name, description, busy, onTake }: TemplateCardProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs" h="100%" justify="space-between" align="start">
        <div>
          <Text fw={600}>{name}</Text>
          <Text size="sm">{description}</Text>
        </div>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('common.named', { what: t('rules.take'), name })}
          loading={busy}
          onClick={onTake}
        >
          {t('rules.take')}
        </Button>
      </Stack>
    </Paper>
  );
}
