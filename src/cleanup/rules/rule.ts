import { searchText } from '../../mailbox/messages/search-text';

/** The vocabulary of rules, as stored and on the wire. */
export const RULE_FIELDS = [
  'from',
  'to',
  'subject',
  'has_attachment',
  'size_gt',
  'size_lt',
  'label',
  'older_than',
  'newer_than',
] as const;
export type RuleField = (typeof RULE_FIELDS)[number];

export const RULE_OPERATORS = [
  'contains',
  'not_contains',
  'equals',
  'not_equals',
  'is_true',
  'gt',
  'lt',
] as const;
export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** One condition; all conditions of a rule must hold. */
export interface RuleCondition {
  readonly field: RuleField;
  readonly operator: RuleOperator;
  readonly value: string | number | boolean;
}

export const RULE_ACTIONS = [
  'trash',
  'delete',
  'label',
  'unlabel',
  'archive',
  'archive_nas',
  'mark_read',
  'mark_unread',
] as const;
export type RuleActionType = (typeof RULE_ACTIONS)[number];

export interface RuleAction {
  readonly type: RuleActionType;
  /** Id of the label; for `label` and `unlabel`. */
  readonly labelId?: string;
}

export const RULE_SCHEDULES = ['hourly', 'daily', 'weekly', 'monthly'] as const;
export type RuleSchedule = (typeof RULE_SCHEDULES)[number];

/** Seconds from the start of a run to the next: 1 h, 24 h, 7 d, 30 d. */
export const SCHEDULE_SECONDS: Readonly<Record<RuleSchedule, number>> = {
  hourly: 3_600,
  daily: 86_400,
  weekly: 7 * 86_400,
  monthly: 30 * 86_400,
};

/** Actions after which messages are gone, or will be in 30 days. */
export function isDestructive(action: RuleActionType): boolean {
  return action === 'trash' || action === 'delete';
}

/** Whether the action needs a label id. */
export function needsLabelId(action: RuleActionType): boolean {
  return action === 'label' || action === 'unlabel';
}

/** Whether a condition selects messages that do not have what it names. */
export function isNegative({ operator, value }: RuleCondition): boolean {
  return operator === 'not_contains' || operator === 'not_equals' || value === false;
}

export const MAX_VALUE_LENGTH = 500;
const MAX_BYTES = 2 ** 31 - 1;

const TEXT: readonly RuleOperator[] = ['contains', 'not_contains', 'equals', 'not_equals'];

/** Operators of each field. */
export const OPERATORS_OF: Readonly<Record<RuleField, readonly RuleOperator[]>> = {
  from: TEXT,
  to: TEXT,
  subject: TEXT,
  has_attachment: ['is_true'],
  size_gt: ['gt'],
  size_lt: ['lt'],
  label: ['equals', 'not_equals'],
  older_than: ['equals'],
  newer_than: ['equals'],
};

/** Describes the problem of a value of that field; undefined: there is none. */
export function valueProblem(field: RuleField, value: unknown): string | undefined {
  switch (field) {
    case 'from':
    case 'to':
    case 'subject':
      return textProblem(value) ?? wordsProblem(value as string);
    case 'label':
      return textProblem(value);
    case 'has_attachment':
      return typeof value === 'boolean' ? undefined : 'value must be true or false';
    case 'size_gt':
    case 'size_lt':
      return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_BYTES
        ? undefined
        : `value must be a number of bytes, an integer from 1 to ${MAX_BYTES}`;
    case 'older_than':
    case 'newer_than':
      return typeof value === 'string' && /^(?!0+[dmy])\d{1,4}[dmy]$/.test(value)
        ? undefined
        : 'value must be a number from 1 to 9999 followed by d, m or y';
  }
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'value must be a string';
  if (value.trim() === '') return 'value should not be empty';
  if (value.length > MAX_VALUE_LENGTH)
    return `value must be shorter than or equal to ${MAX_VALUE_LENGTH} characters`;
  return /[\p{Cc}\p{Cs}]/u.test(value) ? 'value must not hold control characters' : undefined;
}

function wordsProblem(value: string): string | undefined {
  return searchText(value) === undefined ? 'value must hold a letter or a digit' : undefined;
}
