import { Button, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op, useOperation } from '../../api/op';
import { invalidate } from '../../api/query-client';
import { ProblemView } from '../../ui/ProblemView';
import { TrashNote } from '../../ui/TrashNote';
import { ConditionFields } from './ConditionFields';
import {
  conditionsOf,
  draftOf,
  emptyCondition,
  leavesOutMarked,
  leavingOutMarked,
  withoutMarks,
  type DraftCondition,
} from './rule-draft';
import { RulePreview } from './RulePreview';

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
/** The service takes twenty, of which two leave out what is starred or important. */
const MAX_CONDITIONS = 18;
/** A preview costs calls of the provider: it follows once the person rests. */
const REST_MS = 400;

interface RuleFormProps {
  readonly accountId: string;
  /** null: a new one. */
  readonly rule: Rule | null;
  readonly onDone: () => void;
}

/** A rule that is being written, with what it would find at the moment. */
export function RuleForm({ accountId, rule, onDone }: RuleFormProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState(rule?.name ?? '');
  const [drafts, setDrafts] = useState<readonly DraftCondition[]>(
    rule ? withoutMarks(rule.conditions).map(draftOf) : [emptyCondition(0)],
  );
  const [action, setAction] = useState<ActionType>(rule?.action.type ?? 'trash');
  const [labelId, setLabelId] = useState(rule?.action.labelId ?? '');
  const [schedule, setSchedule] = useState<Rule['schedule']>(rule?.schedule ?? null);
  const [isActive, setIsActive] = useState(rule?.is_active ?? true);
  const [sparesMarked, setSparesMarked] = useState(rule ? leavesOutMarked(rule.conditions) : true);
  const written = conditionsOf(drafts);
  const removes = action === 'trash' || action === 'delete';
  // A rule that had it keeps it, whatever it does now; a new one is asked only where it matters.
  const isAsked = removes || (rule !== null && leavesOutMarked(rule.conditions));
  const conditions = written && isAsked && sparesMarked ? leavingOutMarked(written) : written;
  const [rested] = useDebouncedValue(conditions && JSON.stringify(conditions), REST_MS);
  const needsLabel = action === 'label' || action === 'unlabel';
  const create = useOperation('rules.create');
  const update = useOperation('rules.update');
  const { isPending, error } = rule ? update : create;
  const ready = name.trim() !== '' && conditions !== null && (!needsLabel || labelId !== '');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (!ready || isPending) return;
    const body = {
      name: name.trim(),
      conditions,
      action: { type: action, ...(needsLabel && { labelId }) },
      schedule,
      is_active: isActive,
    };
    const options = {
      onSuccess: () => {
        void invalidate(client, ['rules.list']);
        onDone();
      },
    };
    if (rule) update.mutate({ accountId, ruleId: rule.id, body }, options);
    else create.mutate({ accountId, body }, options);
  };
  const replace = (changed: DraftCondition): void =>
    setDrafts(drafts.map((draft) => (draft.key === changed.key ? changed : draft)));
  return (
    <form onSubmit={save}>
      <Stack>
        <TextInput
          label={t('rules.name')}
          required
          maxLength={255}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Stack gap="xs" component="fieldset" style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
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
                drafts.length > 1 ? () => setDrafts(drafts.filter(({ key }) => key !== draft.key)) : undefined
              }
            />
          ))}
          {drafts.length < MAX_CONDITIONS && (
            <Button
              size="xs"
              variant="default"
              style={{ alignSelf: 'start' }}
              onClick={() =>
                setDrafts([...drafts, emptyCondition(Math.max(...drafts.map(({ key }) => key)) + 1)])
              }
            >
              {t('rules.addCondition')}
            </Button>
          )}
        </Stack>
        <RulePreview accountId={accountId} conditions={rested} />
        {/* Beside each other they are too narrow for a phone. */}
        <SimpleGrid cols={{ base: 1, sm: needsLabel ? 3 : 2 }} style={{ alignItems: 'end' }}>
          <NativeSelect
            label={t('rules.then')}
            value={action}
            onChange={(event) => setAction(event.currentTarget.value as ActionType)}
            data={ACTIONS.map((value) => ({ value, label: t(`rules.actions.${value}`) }))}
          />
          {needsLabel && <LabelSelect accountId={accountId} value={labelId} onChange={setLabelId} />}
          <NativeSelect
            label={t('rules.schedule')}
            value={schedule ?? ''}
            onChange={(event) => setSchedule((event.currentTarget.value || null) as Rule['schedule'])}
            data={[
              { value: '', label: t('rules.schedules.never') },
              ...SCHEDULES.map((value) => ({ value: value as string, label: t(`rules.schedules.${value}`) })),
            ]}
          />
        </SimpleGrid>
        {isAsked && (
          <Checkbox
            label={t('rules.leaveOut')}
            description={t('rules.leaveOutText')}
            checked={sparesMarked}
            onChange={(event) => setSparesMarked(event.currentTarget.checked)}
          />
        )}
        <TrashNote accountId={accountId} action={removes ? action : null} />
        {action === 'delete' && (
          <Text size="sm" c="red">
            {t('rules.deletes')}
          </Text>
        )}
        <Checkbox
          label={t('rules.active')}
          description={t('rules.activeText')}
          checked={isActive}
          onChange={(event) => setIsActive(event.currentTarget.checked)}
        />
        {error && <ProblemView error={error} />}
        <Group>
          <Button type="submit" disabled={!ready} loading={isPending}>
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

interface LabelSelectProps {
  readonly accountId: string;
  readonly value: string;
  readonly onChange: (labelId: string) => void;
}

function LabelSelect({ accountId, value, onChange }: LabelSelectProps): ReactNode {
  const { t } = useTranslation();
  const labels = useQuery(op('mailbox.listLabels', { accountId })).data ?? [];
  const own = labels.filter(({ type }) => type === 'user');
  return (
    <NativeSelect
      label={t('rules.label')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: own.length === 0 ? t('rules.noLabels') : t('rules.chooseLabel'), disabled: true },
        ...own.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
