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

/** One term; all conditions of a rule must hold. */
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
  /** For `label` and `unlabel`. */
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

/** Whether the action wants a label id. */
export function needsLabelId(action: RuleActionType): boolean {
  return action === 'label' || action === 'unlabel';
}
