import type { Schemas } from '@mailroom/sdk';
import type { Condition } from './rule-text';

export type Field = Schemas['RuleField'];
export type Operator = Schemas['RuleOperator'];

const MIB = 1024 * 1024;

export const FIELDS: readonly Field[] = [
  'from',
  'to',
  'subject',
  'label',
  'older_than',
  'newer_than',
  'size_gt',
  'size_lt',
  'has_attachment',
];

const TEXT: readonly Operator[] = ['contains', 'not_contains', 'equals', 'not_equals'];

/** Operators between which a person chooses; the other fields have one. */
export const OPERATORS: Readonly<Partial<Record<Field, readonly Operator[]>>> = {
  from: TEXT,
  to: TEXT,
  subject: TEXT,
  label: ['equals', 'not_equals'],
};

const ONLY_OPERATOR: Readonly<Partial<Record<Field, Operator>>> = {
  has_attachment: 'is_true',
  size_gt: 'gt',
  size_lt: 'lt',
};

/** A condition while it is filled in. */
export interface DraftCondition {
  /** Names it among the others. */
  readonly key: number;
  readonly field: Field;
  readonly operator: Operator;
  /** Value of texts and labels. */
  readonly text: string;
  /** Value of ages, and of sizes in MiB. */
  readonly number: number | string;
  readonly unit: 'd' | 'm' | 'y';
  readonly yes: boolean;
}

export const emptyCondition = (key: number, field: Field = 'from'): DraftCondition => ({
  key,
  field,
  operator: OPERATORS[field]?.[0] ?? ONLY_OPERATOR[field] ?? 'equals',
  text: '',
  number: '',
  unit: 'd',
  yes: true,
});

export function draftOf({ field, operator, value }: Condition, key: number): DraftCondition {
  const draft = { ...emptyCondition(key, field), operator };
  if (typeof value === 'boolean') return { ...draft, yes: value };
  if (typeof value === 'number') return { ...draft, number: Math.round((value / MIB) * 100) / 100 };
  const age = /^(\d+)([dmy])$/.exec(value);
  if (age && (field === 'older_than' || field === 'newer_than'))
    return { ...draft, number: Number(age[1]), unit: age[2] as 'd' | 'm' | 'y' };
  return { ...draft, text: value };
}

/** The condition, or null while something is missing. */
export function conditionOf(draft: DraftCondition): Condition | null {
  const { field, operator, text, number, unit, yes } = draft;
  switch (field) {
    case 'has_attachment':
      return { field, operator, value: yes };
    case 'size_gt':
    case 'size_lt':
      return typeof number === 'number' && number > 0
        ? { field, operator, value: Math.max(1, Math.round(number * MIB)) }
        : null;
    case 'older_than':
    case 'newer_than':
      return typeof number === 'number' && number >= 1
        ? { field, operator, value: `${Math.floor(number)}${unit}` }
        : null;
    default:
      return text.trim() === '' ? null : { field, operator, value: text.trim() };
  }
}

/** Marks of messages that are kept from what removes them, as rules say it. */
const UNMARKED: readonly Condition[] = ['STARRED', 'IMPORTANT'].map((value) => ({
  field: 'label',
  operator: 'not_equals',
  value,
}));

const isMark = ({ field, operator, value }: Condition): boolean =>
  UNMARKED.some((mark) => mark.field === field && mark.operator === operator && mark.value === value);

/** A rule's conditions, apart from those that leave out what is starred or important. */
export const removeMarkedExclusion = (conditions: readonly Condition[]): Condition[] =>
  excludesMarked(conditions) ? conditions.filter((condition) => !isMark(condition)) : [...conditions];

/** Whether a rule leaves out both what is starred and what is important, and has other conditions. */
export const excludesMarked = (conditions: readonly Condition[]): boolean =>
  conditions.filter(isMark).length === UNMARKED.length && conditions.length > UNMARKED.length;

/** The same conditions, without what is starred or important. */
export const addMarkedExclusion = (conditions: readonly Condition[]): Condition[] => [
  ...removeMarkedExclusion(conditions),
  ...UNMARKED,
];

/** All conditions, or null while one is not finished. */
export function conditionsOf(drafts: readonly DraftCondition[]): Condition[] | null {
  const conditions = drafts.map(conditionOf);
  return conditions.every((condition) => condition !== null) && conditions.length > 0 ? conditions : null;
}
