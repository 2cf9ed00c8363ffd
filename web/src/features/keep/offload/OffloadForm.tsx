import { Button, Checkbox, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { useServiceForm } from '../../../ui/use-service-form';

const MIB = 1024 * 1024;
/** Fields of the form, by those of the request. */
const FIELDS = {
  'select.query': 'query',
  'select.olderThanDays': 'olderThan',
  'select.largerThan': 'largerThan',
} as const;
const MARKS = ['starred', 'important', 'unread'] as const;

/** Numbers are text while their fields are empty. */
type Values = {
  readonly query: string;
  readonly olderThan: number | string;
  readonly largerThan: number | string;
} & Readonly<Record<(typeof MARKS)[number], boolean>>;

const BLANK: Values = {
  query: '',
  olderThan: 365,
  largerThan: '',
  starred: false,
  important: false,
  unread: false,
};

interface OffloadFormProps {
  readonly accountId: string;
  readonly onPlanned: (planId: string) => void;
}

/** Which messages are to leave the mailbox. It only makes a plan. */
export function OffloadForm({ accountId, onPlanned }: OffloadFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: BLANK,
    send: ({ query, olderThan, largerThan, ...allow }) =>
      call('offload.createPlan', {
        accountId,
        body: {
          select: {
            query: query.trim(),
            ...(typeof olderThan === 'number' && { olderThanDays: olderThan }),
            ...(typeof largerThan === 'number' && { largerThan: Math.round(largerThan * MIB) }),
          },
          allow,
        },
      }),
    fields: FIELDS,
    outdated: ['offload.listPlans', 'jobs.list'],
    onSent: ({ planId }) => onPlanned(planId),
  });
  return (
    <form onSubmit={form.submit}>
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
        <fieldset>
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
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" variant="default" loading={form.isSending}>
            {t('keep.offload.plan')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
