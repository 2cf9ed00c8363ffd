import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';

interface PutPlanBackProps {
  readonly accountId: string;
  readonly planId: string;
  /** Date of the plan, for screen readers. */
  readonly date: string;
}

/** Takes back what a plan has moved out of the mailbox; a trial run comes first. */
export function PutPlanBack({ accountId, planId, date }: PutPlanBackProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate({ from: '/a/$accountId/keep' });
  const plan = useOperation('restore.planRestore');
  const perform = (): void =>
    plan.mutate(
      { accountId, body: { select: { planId }, target: { accountId } } },
      {
        onSuccess: ({ restoreId }) => {
          void invalidate(client, ['restore.listRestores', 'jobs.list']);
          void navigate({ search: (before) => ({ ...before, restore: restoreId }), resetScroll: false });
        },
      },
    );
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('common.named', { what: t('restore.putBack'), name: date })}
        loading={plan.isPending}
        onClick={perform}
      >
        {t('restore.putBack')}
      </Button>
      {plan.error && <ProblemView error={plan.error} />}
    </>
  );
}
