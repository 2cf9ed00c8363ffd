import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client';
import { ProblemView } from '../../../ui/ProblemView';
import { TrashNote } from '../../../shared/trash/TrashNote';
import { useServiceForm } from '../../../ui/use-service-form';
import { LabelSelect } from './LabelSelect';
import {
  conditionsOf,
  draftOf,
  emptyCondition,
  excludesMarked,
  addMarkedExclusion,
  removeMarkedExclusion,
  type DraftCondition,
} from './rule-draft';
import { RuleConditions } from './RuleConditions';
import { RulePreview } from './RulePreview';
import { FieldGrid } from '../../../ui/Grids';

type Rule = Schemas['RuleResponse'];
type ActionType = Schemas['RuleActionType'];

const ACTIONS: readonly ActionType[] = [
  'trash',
  'archive',
  'archive_nas',
  'label',
  'unlabel',
  'mark_read',
  'mark_unread',
  'delete',
];
const SCHEDULES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
/** A preview costs calls of the provider: it follows once the person rests. */
const REST_MS = 400;

const isRemoval = (action: ActionType): action is 'trash' | 'delete' =>
  action === 'trash' || action === 'delete';
const needsLabel = (action: ActionType): boolean => action === 'label' || action === 'unlabel';

/** A rule that had it keeps it, whatever it does now; a new one is asked only where it matters. */
const isMarkAsked = (rule: Rule | null, action: ActionType): boolean =>
  isRemoval(action) || (rule !== null && excludesMarked(rule.conditions));

interface RuleValues {
  readonly drafts: readonly DraftCondition[];
  readonly action: ActionType;
  readonly sparesMarked: boolean;
}

/** The conditions as they stand in the form, or null while one is not finished. */
function conditionsToSave(rule: Rule | null, { drafts, action, sparesMarked }: RuleValues) {
  const written = conditionsOf(drafts);
  return written && isMarkAsked(rule, action) && sparesMarked ? addMarkedExclusion(written) : written;
}

interface RuleFormProps {
  readonly accountId: string;
  /** null: a new one. */
  readonly rule: Rule | null;
  readonly onDone: () => void;
}

/** A rule that is being written, with what it would find at the moment. */
export function RuleForm({ accountId, rule, onDone }: RuleFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useServiceForm({
    initial: {
      name: rule?.name ?? '',
      drafts: rule ? removeMarkedExclusion(rule.conditions).map(draftOf) : [emptyCondition(0)],
      action: rule?.action.type ?? 'trash',
      labelId: rule?.action.labelId ?? '',
      schedule: rule?.schedule ?? null,
      isActive: rule?.is_active ?? true,
      sparesMarked: rule ? excludesMarked(rule.conditions) : true,
    },
    send: (values) => {
      const body = {
        name: values.name.trim(),
        conditions: conditionsToSave(rule, values) ?? [],
        action: { type: values.action, ...(needsLabel(values.action) && { labelId: values.labelId }) },
        schedule: values.schedule,
        is_active: values.isActive,
      };
      return rule
        ? call('rules.update', { accountId, ruleId: rule.id, body })
        : call('rules.create', { accountId, body });
    },
    outdated: ['rules.list'],
    onSent: onDone,
  });
  const { name, drafts, action, labelId, schedule } = form.values;
  const conditions = conditionsToSave(rule, form.values);
  const [rested] = useDebouncedValue(conditions && JSON.stringify(conditions), REST_MS);
  const ready = name.trim() !== '' && conditions !== null && (!needsLabel(action) || labelId !== '');
  return (
    <form onSubmit={(event) => (ready ? form.submit(event) : event.preventDefault())}>
      <Stack>
        <TextInput label={t('rules.name')} required maxLength={255} {...form.getInputProps('name')} />
        <RuleConditions
          accountId={accountId}
          drafts={drafts}
          onChange={(changed) => form.setFieldValue('drafts', [...changed])}
        />
        <RulePreview accountId={accountId} conditions={rested} />
        {/* Beside each other they are too narrow for a phone. */}
        <FieldGrid cols={{ base: 1, sm: needsLabel(action) ? 3 : 2 }}>
          <NativeSelect
            label={t('rules.then')}
            data={ACTIONS.map((value) => ({ value, label: t(`rules.actions.${value}`) }))}
            {...form.getInputProps('action')}
          />
          {needsLabel(action) && (
            <LabelSelect
              accountId={accountId}
              value={labelId}
              onChange={(chosen) => form.setFieldValue('labelId', chosen)}
            />
          )}
          <NativeSelect
            label={t('rules.schedule')}
            {...form.getInputProps('schedule')}
            value={schedule ?? ''}
            onChange={(event) =>
              form.setFieldValue('schedule', (event.currentTarget.value || null) as Rule['schedule'])
            }
            data={[
              { value: '', label: t('rules.schedules.never') },
              ...SCHEDULES.map((value) => ({ value: value as string, label: t(`rules.schedules.${value}`) })),
            ]}
          />
        </FieldGrid>
        {isMarkAsked(rule, action) && (
          <Checkbox
            label={t('rules.leaveOut')}
            description={t('rules.leaveOutText')}
            {...form.getInputProps('sparesMarked', { type: 'checkbox' })}
          />
        )}
        <TrashNote accountId={accountId} action={isRemoval(action) ? action : null} />
        {action === 'delete' && (
          <Text size="sm" c="red">
            {t('rules.deletes')}
          </Text>
        )}
        <Checkbox
          label={t('rules.active')}
          description={t('rules.activeText')}
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
        {form.unsaid && <ProblemView error={form.unsaid} />}
        <Group>
          <Button type="submit" disabled={!ready} loading={form.isSending}>
            {t('rules.save')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('common.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
