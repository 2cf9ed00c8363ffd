import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatShortDate } from '../../../i18n/format';
import { QueryView } from '../../../ui/QueryView';
import { Section } from '../../../ui/Section';
import { OffloadForm } from './OffloadForm';
import { OffloadPlan } from './OffloadPlan';
import { SigningKeys } from './SigningKeys';
import { PutPlanBack } from './PutPlanBack';
import { Receipt } from './Receipt';
import classes from '../keep.module.css';
import { PlainList } from '../../../ui/PlainList';

type Plan = Schemas['OffloadPlanResponse'];

const LISTED = 20;

/** Moving out what the archive has: one plan at a time, and those of before with their receipts. */
export function OffloadPlans({ accountId }: { readonly accountId: string }): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<string | null>(null);
  const plans = useQuery(op('offload.listPlans', { accountId, limit: LISTED }));
  return (
    <Section title={t('keep.offload.title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('keep.offload.intro')}
        </Text>
        {opened === null ? (
          <OffloadForm accountId={accountId} onPlanned={setOpened} />
        ) : (
          <OffloadPlan accountId={accountId} planId={opened} onClose={() => setOpened(null)} />
        )}
        <QueryView query={plans} empty={{ when: ({ items }) => items.length === 0, show: null }}>
          {({ items }) => (
            <Stack gap="xs" component="section" aria-labelledby="offload-plans">
              <Title order={3} size="h5" id="offload-plans">
                {t('keep.offload.earlier')}
              </Title>
              <PlainList gap={0}>
                {items.map((plan) => (
                  <PlanRow
                    key={plan.id}
                    accountId={accountId}
                    plan={plan}
                    onOpen={() => setOpened(plan.id)}
                  />
                ))}
              </PlainList>
              <SigningKeys />
            </Stack>
          )}
        </QueryView>
      </Stack>
    </Section>
  );
}

interface PlanRowProps {
  readonly accountId: string;
  readonly plan: Plan;
  readonly onOpen: () => void;
}

function PlanRow({ accountId, plan, onOpen }: PlanRowProps): ReactNode {
  const { t } = useTranslation();
  const { id, status, select, trashed, unknown, createdAt } = plan;
  const date = formatShortDate(createdAt);
  return (
    <li className={classes.message}>
      <Group justify="space-between" py={4}>
        <Text size="sm">
          {[
            date,
            select.query || t('keep.offload.everything'),
            t(`keep.offload.statuses.${status}`),
            ...((trashed ?? 0) > 0 ? [t('keep.offload.moved', { count: trashed ?? 0 })] : []),
            // While a job moves them they are on their way.
            ...(status !== 'running' && (unknown ?? 0) > 0
              ? [t('keep.offload.unknown', { count: unknown ?? 0 })]
              : []),
          ].join(' · ')}
        </Text>
        <Group gap="xs">
          {status === 'done' ? (
            <>
              <Receipt accountId={accountId} planId={id} />
              {(trashed ?? 0) > 0 && <PutPlanBack accountId={accountId} planId={id} date={date} />}
            </>
          ) : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('common.named', { what: t('keep.offload.open'), name: date })}
              onClick={onOpen}
            >
              {t('keep.offload.open')}
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
}
