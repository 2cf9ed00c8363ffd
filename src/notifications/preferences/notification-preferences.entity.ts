import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** What a user wants to be told, in the application and as a toast. */
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
