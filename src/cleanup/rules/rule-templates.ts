import type { RuleAction, RuleCondition, RuleField, RuleOperator, RuleSchedule } from './rule';

export const TEMPLATE_CATEGORIES = ['cleanup', 'archive', 'organize'] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

export interface RuleTemplate {
  /** Id in kebab case, never changed. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: TemplateCategory;
  readonly dto: {
    readonly name: string;
    readonly conditions: readonly RuleCondition[];
    readonly action: RuleAction;
    readonly schedule: RuleSchedule | null;
  };
}

const DEFAULT_OPERATOR: Partial<Record<RuleField, RuleOperator>> = {
  has_attachment: 'is_true',
  size_gt: 'gt',
  subject: 'contains',
};

const where = (field: RuleField, value: RuleCondition['value']): RuleCondition => ({
  field,
  operator: DEFAULT_OPERATOR[field] ?? 'equals',
  value,
});
const buildWithoutLabel = (label: string): RuleCondition => ({
  field: 'label',
  operator: 'not_equals',
  value: label,
});

/** Conditions that exclude starred and important messages, which templates never clean up. */
const UNIMPORTANT = [buildWithoutLabel('STARRED'), buildWithoutLabel('IMPORTANT')];

function template(
  category: TemplateCategory,
  id: string,
  name: string,
  description: string,
  conditions: readonly RuleCondition[],
  type: RuleAction['type'],
  schedule: RuleSchedule | null = null,
): RuleTemplate {
  return { id, name, description, category, dto: { name, conditions, action: { type }, schedule } };
}

/**
 * Rules that are useful in most mailboxes. None needs a user's label. Templates that remove messages move them to the trash,
 * where this can be undone; they spare starred and important messages, and do not run by themselves.
 */
export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  template(
    'cleanup',
    'trash-old-promotions',
    'Trash old promotions',
    'Moves promotions older than 6 months to the trash, except starred and important ones.',
    [where('label', 'CATEGORY_PROMOTIONS'), where('older_than', '6m'), ...UNIMPORTANT],
    'trash',
  ),
  template(
    'cleanup',
    'trash-old-social',
    'Trash old social notifications',
    'Moves mail of social networks older than 6 months to the trash, except starred and important ones.',
    [where('label', 'CATEGORY_SOCIAL'), where('older_than', '6m'), ...UNIMPORTANT],
    'trash',
  ),
  template(
    'cleanup',
    'trash-old-forums',
    'Trash old mailing list mail',
    'Moves mail of forums and mailing lists older than a year to the trash, except starred and important ones.',
    [where('label', 'CATEGORY_FORUMS'), where('older_than', '1y'), ...UNIMPORTANT],
    'trash',
  ),
  template(
    'cleanup',
    'trash-verification-codes',
    'Trash used verification codes',
    'Moves messages with a verification code older than a week to the trash, except starred and important ones.',
    [where('subject', 'verification code'), where('older_than', '7d'), ...UNIMPORTANT],
    'trash',
  ),
  template(
    'cleanup',
    'trash-unread-promotions',
    'Trash promotions nobody reads',
    'Moves promotions still unread after 3 months to the trash, except starred and important ones.',
    [
      where('label', 'CATEGORY_PROMOTIONS'),
      where('label', 'UNREAD'),
      where('older_than', '3m'),
      ...UNIMPORTANT,
    ],
    'trash',
  ),
  template(
    'archive',
    'archive-old-mail',
    'Archive old mail',
    'Keeps a copy of all mail older than 2 years in the archive.',
    [where('older_than', '2y')],
    'archive_nas',
    'monthly',
  ),
  template(
    'archive',
    'archive-attachments',
    'Archive mail with attachments',
    'Keeps a copy of mail with attachments older than 6 months in the archive.',
    [where('has_attachment', true), where('older_than', '6m')],
    'archive_nas',
    'monthly',
  ),
  template(
    'archive',
    'archive-large-mail',
    'Archive large mail',
    'Keeps a copy of messages above 10 MB in the archive once they are a month old.',
    [where('size_gt', 10_000_000), where('older_than', '1m')],
    'archive_nas',
    'weekly',
  ),
  template(
    'archive',
    'archive-invoices',
    'Archive invoices',
    'Keeps a copy of every message with "invoice" in its subject in the archive.',
    [where('subject', 'invoice')],
    'archive_nas',
    'weekly',
  ),
  template(
    'archive',
    'archive-sent-mail',
    'Archive sent mail',
    'Keeps a copy of what you have sent in the archive once it is a month old.',
    [where('label', 'SENT'), where('older_than', '1m')],
    'archive_nas',
    'monthly',
  ),
  template(
    'archive',
    'archive-starred',
    'Archive starred mail',
    'Keeps a copy of starred messages in the archive.',
    [where('label', 'STARRED')],
    'archive_nas',
    'weekly',
  ),
  template(
    'organize',
    'promotions-out-of-inbox',
    'Take promotions out of the inbox',
    'Promotions leave the inbox after a week; they stay under all mail.',
    [where('label', 'INBOX'), where('label', 'CATEGORY_PROMOTIONS'), where('older_than', '7d')],
    'archive',
    'daily',
  ),
  template(
    'organize',
    'social-out-of-inbox',
    'Take social notifications out of the inbox',
    'Mail of social networks leaves the inbox after 3 days; it stays under all mail.',
    [where('label', 'INBOX'), where('label', 'CATEGORY_SOCIAL'), where('older_than', '3d')],
    'archive',
    'daily',
  ),
  template(
    'organize',
    'read-mail-out-of-inbox',
    'Take read mail out of the inbox',
    'Mail that has been read leaves the inbox after 30 days, except starred mail; it stays under all mail.',
    [
      where('label', 'INBOX'),
      buildWithoutLabel('UNREAD'),
      buildWithoutLabel('STARRED'),
      where('older_than', '30d'),
    ],
    'archive',
    'weekly',
  ),
  template(
    'organize',
    'mark-old-mail-read',
    'Mark old mail as read',
    'Mail still unread after 6 months is marked as read.',
    [where('label', 'UNREAD'), where('older_than', '6m')],
    'mark_read',
    'weekly',
  ),
  template(
    'organize',
    'mark-promotions-read',
    'Mark promotions as read',
    'Promotions still unread after 2 weeks are marked as read.',
    [where('label', 'UNREAD'), where('label', 'CATEGORY_PROMOTIONS'), where('older_than', '14d')],
    'mark_read',
    'daily',
  ),
];
