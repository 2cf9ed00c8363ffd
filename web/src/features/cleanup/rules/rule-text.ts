import type { Schemas } from '@mailroom/sdk';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { op } from '../../../api/op';
import { formatBytes } from '../../../i18n/format';
import { shownLabel } from '../../../shared/labels/label-name';

export type Condition = Schemas['RuleConditionResponse'];
type Label = Schemas['LabelResponse'];

/** Content of a rule that its text describes. */
export type RuleContent = Pick<Schemas['TemplatedRuleResponse'], 'conditions' | 'action' | 'schedule'>;

const nameOf = (labels: readonly Label[], idOrName: string): string =>
  shownLabel(labels.find(({ id }) => id === idOrName) ?? { id: idOrName, name: idOrName });

/** `30d` as the number and its unit. */
export function ageOf(value: string): { readonly count: number; readonly unit: 'd' | 'm' | 'y' } {
  const [, count = '1', unit = 'd'] = /^(\d+)([dmy])$/.exec(value) ?? [];
  return { count: Number(count), unit: unit as 'd' | 'm' | 'y' };
}

/** Labels of the provider that say how a message is. */
const STATES = { UNREAD: 'unread', STARRED: 'starred', IMPORTANT: 'important' } as const;

const isState = (label: string): label is keyof typeof STATES => Object.hasOwn(STATES, label);

function labelText(t: TFunction, label: string, not: '_not' | '', labels: readonly Label[]): string {
  if (isState(label)) return t(`rules.says.${STATES[label]}${not}`);
  const kind = label.startsWith('CATEGORY_') ? 'category' : 'label';
  return t(`rules.says.${kind}${not}`, { value: nameOf(labels, label) });
}

function conditionText(
  t: TFunction,
  { field, operator, value }: Condition,
  labels: readonly Label[],
): string {
  switch (field) {
    case 'size_gt':
    case 'size_lt':
      return t(`rules.says.${field}`, { value: formatBytes(Number(value)) });
    case 'has_attachment':
      return t(value === true ? 'rules.says.has_attachment' : 'rules.says.no_attachment');
    case 'older_than':
    case 'newer_than': {
      const { count, unit } = ageOf(String(value));
      return t(`rules.says.${field}`, { value: t(`rules.ages.${unit}`, { count }) });
    }
    case 'label':
      return labelText(t, String(value), operator === 'not_equals' ? '_not' : '', labels);
    default: {
      const relation = operator as 'contains' | 'not_contains' | 'equals' | 'not_equals';
      return t(`rules.says.${field}_${relation}`, { value: String(value) });
    }
  }
}

/** A rule as one sentence: `When … and …: move them to the trash, every day.` */
export function useRuleText(accountId: string): (rule: RuleContent) => string {
  const { t } = useTranslation();
  const labels = useQuery(op('mailbox.listLabels', { accountId })).data ?? [];
  return ({ conditions, action, schedule }) => {
    const when = conditions
      .map((condition) => conditionText(t, condition, labels))
      .join(` ${t('rules.says.and')} `);
    const then = t(`rules.does.${action.type}`, { label: nameOf(labels, action.labelId ?? '') });
    const often = schedule === null ? t('rules.often.never') : t(`rules.often.${schedule}`);
    return t('rules.sentence', { when, then, often });
  };
}
