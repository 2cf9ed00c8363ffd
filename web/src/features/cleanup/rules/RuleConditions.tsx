import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConditionFields } from './ConditionFields';
import { emptyCondition, type DraftCondition } from './rule-draft';

/** The service takes twenty, of which two leave out what is starred or important. */
const MAX_CONDITIONS = 18;

interface RuleConditionsProps {
  readonly accountId: string;
  readonly drafts: readonly DraftCondition[];
  readonly onChange: (drafts: readonly DraftCondition[]) => void;
}

/** The conditions of a rule; there is at least one. */
export function RuleConditions({ accountId, drafts, onChange }: RuleConditionsProps): ReactNode {
  const { t } = useTranslation();
  const replace = (changed: DraftCondition): void =>
    onChange(drafts.map((draft) => (draft.key === changed.key ? changed : draft)));
  return (
    <Stack gap="xs" component="fieldset">
      <Text component="legend" size="sm" fw={500}>
        {t('rules.when')}
      </Text>
      {drafts.map((draft, position) => (
        <ConditionFields
          key={draft.key}
          accountId={accountId}
          draft={draft}
          position={position + 1}
          onChange={replace}
          onRemove={
            drafts.length > 1 ? () => onChange(drafts.filter(({ key }) => key !== draft.key)) : undefined
          }
        />
      ))}
      {drafts.length < MAX_CONDITIONS && (
        <Group>
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              onChange([...drafts, emptyCondition(Math.max(...drafts.map(({ key }) => key)) + 1)])
            }
          >
            {t('rules.addCondition')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
