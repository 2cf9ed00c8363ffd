import type { RuleField, RuleOperator } from '../rule';
import { searchText } from '../../mailbox/search/search-text';

export const MAX_VALUE_LENGTH = 500;
const MAX_BYTES = 2 ** 31 - 1;

const TEXT: readonly RuleOperator[] = ['contains', 'not_contains', 'equals', 'not_equals'];

/** What may be asked of a field. */
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

/** What is wrong with a value of that field, or undefined. */
export function valueProblem(field: RuleField, value: unknown): string | undefined {
  switch (field) {
    case 'from':
    case 'to':
    case 'subject':
      return textProblem(value) ?? wordsProblem(value as string);
    case 'label':
      return textProblem(value);
    case 'has_attachment':
      return value === true ? undefined : 'value must be true';
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
