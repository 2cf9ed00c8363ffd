import { Button, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { showStarted } from '../../../jobs/job-toast';
import { Confirm } from '../../../ui/Confirm';
import { QueryView } from '../../../ui/QueryView';
import { TrashNote } from '../../../shared/trash/TrashNote';
import { useRuleText } from './rule-text';

interface RunRuleProps {
  readonly accountId: string;
  readonly rule: Schemas['RuleResponse'];
}

/** Runs a rule now, after showing how many messages it would find. */
export function RunRule({ accountId, rule }: RunRuleProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const textOf = useRuleText(accountId);
  const { type } = rule.action;
  const removes = type === 'delete' || type === 'trash';
  const [asked, setAsked] = useState(false);
  const run = useOperation('rules.run');
  const preview = useQuery({
    ...op('rules.preview', { accountId, body: { conditions: rule.conditions } }),
    enabled: asked,
    staleTime: 0,
  });
  const start = (): void =>
    run.mutate(
      { accountId, ruleId: rule.id },
      {
        onSuccess: ({ jobId }) => {
          setAsked(false);
          showStarted(jobId, t('rules.started', { name: rule.name }));
          void invalidate(client, ['jobs.list']);
        },
      },
    );
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsked(true)}>
        {t('rules.run')}
      </Button>
      <Confirm
        opened={asked}
        title={t('rules.runTitle', { name: rule.name })}
        text={textOf(rule)}
        details={
          <Stack gap="xs">
            <TrashNote accountId={accountId} action={asked && removes ? type : null} />
            <QueryView query={preview}>
              {({ estimatedCount: count, starredCount: starred, importantCount: important }) => (
                <Text role="status">
                  {t('rules.finds', { count })} {t('rules.marks', { starred, important })}
                </Text>
              )}
            </QueryView>
          </Stack>
        }
        verb={t('rules.run')}
        destroys={removes}
        ready={preview.data !== undefined}
        busy={run.isPending}
        error={run.error}
        onConfirm={start}
        onClose={() => setAsked(false)}
      />
    </>
  );
}
