import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../../api/op';
import { invalidate } from '../../../api/query-client';
import { ProblemView } from '../../../ui/ProblemView';

const MIB = 1024 * 1024;
const MARKS = ['starred', 'important', 'unread'] as const;

interface OffloadFormProps {
  readonly accountId: string;
  readonly onPlanned: (planId: string) => void;
}

/** Which messages are to leave the mailbox. It only makes a plan. */
export function OffloadForm({ accountId, onPlanned }: OffloadFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const create = useOperation('offload.createPlan');
  const form = useForm({
    initialValues: {
      query: '',
      olderThan: 365 as number | string,
      largerThan: '' as number | string,
      starred: false,
      important: false,
      unread: false,
    },
  });
  const plan = ({ query, olderThan, largerThan, ...allow }: typeof form.values): void =>
    create.mutate(
      {
        accountId,
        body: {
          select: {
            query: query.trim(),
            ...(typeof olderThan === 'number' && { olderThanDays: olderThan }),
            ...(typeof largerThan === 'number' && { largerThan: Math.round(largerThan * MIB) }),
          },
          allow,
        },
      },
      {
        onSuccess: ({ planId }) => {
          onPlanned(planId);
          void invalidate(client, ['offload.listPlans', 'jobs.list']);
        },
      },
    );
  return (
    <form onSubmit={form.onSubmit(plan)}>
      <Stack gap="sm">
        <TextInput
          label={t('keep.offload.query')}
          description={t('keep.offload.queryText')}
          maxLength={2_000}
          {...form.getInputProps('query')}
        />
        <Group grow align="end">
          <NumberInput
            label={t('keep.offload.olderThan')}
            min={1}
            max={36_500}
            allowDecimal={false}
            hideControls
            {...form.getInputProps('olderThan')}
          />
          <NumberInput
            label={t('keep.offload.largerThan')}
            min={0}
            hideControls
            {...form.getInputProps('largerThan')}
          />
        </Group>
        <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <Text component="legend" size="sm" fw={500} mb={4}>
            {t('keep.offload.allow')}
          </Text>
          <Group>
            {MARKS.map((mark) => (
              <Checkbox
                key={mark}
                label={t(`keep.offload.${mark}`)}
                {...form.getInputProps(mark, { type: 'checkbox' })}
              />
            ))}
          </Group>
        </fieldset>
        {create.error && <ProblemView error={create.error} />}
        <Group>
          <Button type="submit" variant="default" loading={create.isPending}>
            {t('keep.offload.plan')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
