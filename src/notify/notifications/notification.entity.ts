import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Categories of notifications; each user has preferences for each. */
export const NOTIFICATION_CATEGORIES = [
  'weekly_report',
  'job_completed',
  'job_failed',
  'rule_executed',
  'quota_warning',
  'integrity_alert',
] as const;
export type NotificationCategory = (typeof NOTIFICATION_CATEGORIES)[number];

/** A notification in the application. */
@Entity('notifications')
@Index('notifications_user_idx', ['userId', 'id'])
@Index('notifications_unread_idx', ['userId', 'id'], { where: 'NOT is_read' })
@Index('notifications_read_idx', ['createdAt'], { where: 'is_read' })
@Index('notifications_event_key', ['userId', 'eventKey'], { unique: true })
export class NotificationEntity {
  @PrimaryColumn('uuid') id: string;

  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @Column('uuid')
  userId: string;

  @Column('varchar', { length: 32 }) type: NotificationCategory;
  @Column('text') title: string;
  @Column('text') body: string;
  @Column('jsonb') data: Record<string, unknown>;
  @Column('boolean', { default: false }) isRead: boolean;
  /** The `key` of the event: an event has one notification, however often it is dispatched. */
  @Column('varchar', { length: 128 }) eventKey: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt: Date;
}

/** A preference is for notifications in the application, or for the toasts that clients show. */
export type PreferenceName = NotificationCategory | `${NotificationCategory}_toast`;

export type Preferences = Readonly<Record<PreferenceName, boolean>>;

/** For users who have never changed a preference. */
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

/** Which notifications and toasts a user wants. */
@Entity('notification_preferences')
export class NotificationPreferencesEntity {
  @ForeignKey('UserEntity', 'id', { onDelete: 'CASCADE' })
  @PrimaryColumn('uuid')
  userId: string;

  @Column('boolean', { default: true }) weeklyReport: boolean;
  @Column('boolean', { default: false }) weeklyReportToast: boolean;
  @Column('boolean', { default: true }) jobCompleted: boolean;
  @Column('boolean', { default: true }) jobCompletedToast: boolean;
  @Column('boolean', { default: true }) jobFailed: boolean;
  @Column('boolean', { default: true }) jobFailedToast: boolean;
  @Column('boolean', { default: false }) ruleExecuted: boolean;
  @Column('boolean', { default: false }) ruleExecutedToast: boolean;
  @Column('boolean', { default: true }) quotaWarning: boolean;
  @Column('boolean', { default: false }) quotaWarningToast: boolean;
  @Column('boolean', { default: true }) integrityAlert: boolean;
  @Column('boolean', { default: false }) integrityAlertToast: boolean;
}
