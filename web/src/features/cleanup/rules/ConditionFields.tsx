import { ActionIcon, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { shownLabel } from '../../../shared/labels/label-name';
import {
  emptyCondition,
  FIELDS,
  OPERATORS,
  type DraftCondition,
  type Field,
  type Operator,
} from './rule-draft';

interface ConditionFieldsProps {
  readonly accountId: string;
  readonly draft: DraftCondition;
  /** From 1, for screen readers. */
  readonly position: number;
  readonly onChange: (draft: DraftCondition) => void;
  /** Without it, it is the last one. */
  readonly onRemove: (() => void) | undefined;
}

/** One condition: what is looked at, how, and for what. */
export function ConditionFields({
  accountId,
  draft,
  position,
  onChange,
  onRemove,
}: ConditionFieldsProps): ReactNode {
  const { t } = useTranslation();
  const { key, field, operator } = draft;
  const operators = OPERATORS[field];
  const labelOf = (what: string): string => t('rules.fieldOf', { what, position });
  return (
    <Group gap="xs" align="end">
      <NativeSelect
        aria-label={labelOf(t('rules.field'))}
        value={field}
        onChange={(event) => onChange(emptyCondition(key, event.currentTarget.value as Field))}
        data={FIELDS.map((value) => ({ value, label: t(`rules.fields.${value}`) }))}
      />
      {operators && (
        <NativeSelect
          aria-label={labelOf(t('rules.operator'))}
          value={operator}
          onChange={(event) => onChange({ ...draft, operator: event.currentTarget.value as Operator })}
          data={operators.map((value) => ({
            value,
            label: t(`rules.operators.${value as 'contains' | 'not_contains' | 'equals' | 'not_equals'}`),
          }))}
        />
      )}
      <Value accountId={accountId} draft={draft} label={labelOf(t('rules.value'))} onChange={onChange} />
      {onRemove && (
        <ActionIcon variant="subtle" aria-label={t('rules.removeCondition', { position })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}

interface ValueProps {
  readonly accountId: string;
  readonly draft: DraftCondition;
  readonly label: string;
  readonly onChange: (draft: DraftCondition) => void;
}

function Value({ accountId, draft, label, onChange }: ValueProps): ReactNode {
  const { t } = useTranslation();
  switch (draft.field) {
    case 'has_attachment':
      return (
        <NativeSelect
          aria-label={label}
          value={draft.yes ? 'yes' : 'no'}
          onChange={(event) => onChange({ ...draft, yes: event.currentTarget.value === 'yes' })}
          data={[
            { value: 'yes', label: t('rules.yes') },
            { value: 'no', label: t('rules.no') },
          ]}
        />
      );
    case 'label':
      return <LabelValue accountId={accountId} draft={draft} label={label} onChange={onChange} />;
    case 'size_gt':
    case 'size_lt':
      return (
        <NumberInput
          aria-label={label}
          min={0}
          max={2_047}
          suffix=" MB"
          hideControls
          w={120}
          value={draft.number}
          onChange={(number) => onChange({ ...draft, number })}
        />
      );
    case 'older_than':
    case 'newer_than':
      return (
        <>
          <NumberInput
            aria-label={label}
            min={1}
            max={9_999}
            allowDecimal={false}
            hideControls
            w={90}
            value={draft.number}
            onChange={(number) => onChange({ ...draft, number })}
          />
          <NativeSelect
            aria-label={t('common.named', { what: label, name: t('rules.unit') })}
            value={draft.unit}
            onChange={(event) =>
              onChange({ ...draft, unit: event.currentTarget.value as DraftCondition['unit'] })
            }
            data={(['d', 'm', 'y'] as const).map((value) => ({ value, label: t(`rules.units.${value}`) }))}
          />
        </>
      );
    default:
      return (
        <TextInput
          aria-label={label}
          maxLength={500}
          flex="1 1 160px"
          value={draft.text}
          onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
        />
      );
  }
}

function LabelValue({ accountId, draft, label, onChange }: ValueProps): ReactNode {
  const { t } = useTranslation();
  const labels = useQuery(op('mailbox.listLabels', { accountId })).data ?? [];
  const known = labels.some(({ id }) => id === draft.text);
  return (
    <NativeSelect
      aria-label={label}
      value={draft.text}
      onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
      data={[
        { value: '', label: t('rules.chooseLabel'), disabled: true },
        // A label that the mailbox no longer has, or that a template names.
        ...(known || draft.text === ''
          ? []
          : [{ value: draft.text, label: shownLabel({ id: draft.text, name: draft.text }) }]),
        ...labels.map((found) => ({ value: found.id, label: shownLabel(found) })),
      ]}
    />
  );
}
