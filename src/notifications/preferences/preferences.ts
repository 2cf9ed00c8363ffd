import type { NotificationCategory } from '../in-app/notification-category';

/** Name of a preference: of notifications in the application, or of the toasts the client shows. */
export type PreferenceName = NotificationCategory | `${NotificationCategory}_toast`;

export type Preferences = Readonly<Record<PreferenceName, boolean>>;

/** What holds for a user who has never chosen. */
export const DEFAULT_PREFERENCES: Preferences = {
  weekly_report: true,
  weekly_report_toast: false,
  job_completed: true,
  job_completed_toast: true,
  job_failed: true,
  job_failed_toast: true,
  rule_executed: false,
  rule_executed_toast: false,
  quota_warning: true,
  quota_warning_toast: false,
  integrity_alert: true,
  integrity_alert_toast: false,
};

export const PREFERENCE_NAMES = Object.keys(DEFAULT_PREFERENCES) as readonly PreferenceName[];
