import type { Preferences } from '../notification.entity';

/** Notification preferences: plain names for notifications in the application, `_toast` for toasts. */
export class PreferencesResponse implements Preferences {
  /** Notifications with the weekly report.
   * @example true */
  weekly_report: boolean;

  /** A toast for the weekly report.
   * @example false */
  weekly_report_toast: boolean;

  /** Notifications of completed jobs.
   * @example true */
  job_completed: boolean;

  /** A toast for completed jobs.
   * @example true */
  job_completed_toast: boolean;

  /** Notifications of failed jobs.
   * @example true */
  job_failed: boolean;

  /** A toast for failed jobs.
   * @example true */
  job_failed_toast: boolean;

  /** Notifications of executed rules.
   * @example false */
  rule_executed: boolean;

  /** A toast for executed rules.
   * @example false */
  rule_executed_toast: boolean;

  /** Notifications of storage that runs out.
   * @example true */
  quota_warning: boolean;

  /** A toast for storage that runs out.
   * @example false */
  quota_warning_toast: boolean;

  /** Notifications of archived mails found missing or altered.
   * @example true */
  integrity_alert: boolean;

  /** A toast for archived mails found missing or altered.
   * @example false */
  integrity_alert_toast: boolean;
}

export function toPreferencesResponse(preferences: Preferences): PreferencesResponse {
  return {
    weekly_report: preferences.weekly_report,
    weekly_report_toast: preferences.weekly_report_toast,
    job_completed: preferences.job_completed,
    job_completed_toast: preferences.job_completed_toast,
    job_failed: preferences.job_failed,
    job_failed_toast: preferences.job_failed_toast,
    rule_executed: preferences.rule_executed,
    rule_executed_toast: preferences.rule_executed_toast,
    quota_warning: preferences.quota_warning,
    quota_warning_toast: preferences.quota_warning_toast,
    integrity_alert: preferences.integrity_alert,
    integrity_alert_toast: preferences.integrity_alert_toast,
  };
}
