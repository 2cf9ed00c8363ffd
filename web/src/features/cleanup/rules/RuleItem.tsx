import { Box, Button, Card, Group, Stack, Switch, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { formatShortDate } from '../../../i18n/format';
import { Confirm } from '../../../ui/Confirm';
import { ProblemView } from '../../../ui/ProblemView';
import { useRuleText } from './rule-text';
import { RunRule } from './RunRule';

interface RuleItemProps {
  readonly accountId: string;
  readonly rule: Schemas['RuleResponse'];
  readonly onEdit: () => void;
}

/** A rule: what it says, when it ran last, and what can be done with it. */
export function RuleItem({ accountId, rule, onEdit }: RuleItemProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const textOf = useRuleText(accountId);
  const [asked, setAsked] = useState(false);
  const toggle = useOperation('rules.toggle');
  const remove = useOperation('rules.delete');
  const args = { accountId, ruleId: rule.id };
  const again = { onSuccess: () => void invalidate(client, ['rules.list']) };
  const { name, description, last_run_at: ranAt, last_run_count: count, is_active: isActive } = rule;
  return (
    <Card withBorder component="li">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="start">
          <Box miw={0}>
            <Text fw={600}>{name}</Text>
            <Text size="sm">{textOf(rule)}</Text>
            {description && (
              <Text size="sm" c="dimmed">
                {description}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {ranAt === null
                ? t('rules.neverRan')
                : t('rules.ran', { time: formatShortDate(ranAt), count: count ?? 0 })}
            </Text>
          </Box>
          <Switch
            checked={isActive}
            disabled={toggle.isPending}
            label={isActive ? t('rules.on') : t('rules.off')}
            aria-label={t('rules.switch', { name, state: isActive ? t('rules.on') : t('rules.off') })}
            onChange={() => toggle.mutate(args, again)}
          />
        </Group>
        {(toggle.error ?? remove.error) && <ProblemView error={toggle.error ?? remove.error} />}
        <Group gap="xs">
          <RunRule accountId={accountId} rule={rule} />
          <Button size="xs" variant="default" onClick={onEdit}>
            {t('rules.change')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsked(true)}>
            {t('rules.delete')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        opened={asked}
        title={t('rules.deleteTitle', { name })}
        text={t('rules.deleteText')}
        verb={t('rules.delete')}
        destroys
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(args, again)}
        onClose={() => setAsked(false)}
      />
    </Card>
  );
}
