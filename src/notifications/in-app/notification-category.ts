/** Kinds of notifications, each with a preference of its own. */
export const NOTIFICATION_CATEGORIES = [
  'weekly_report',
  'job_completed',
  'job_failed',
  'rule_executed',
  'quota_warning',
  'integrity_alert',
] as const;
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number];
