import { applyDecorators } from '@nestjs/common';
import { IsBoolean } from 'class-validator';
import { MayBeAbsent } from '../../../platform/validation/field-rules';
import type { Preferences } from '../notification.entity';

/** May be left out; null is a mistake. */
const OptionalSwitch = (): PropertyDecorator => applyDecorators(MayBeAbsent(), IsBoolean());

/** The preferences to change; absent ones stay as they are. */
export class ChangePreferencesDto implements Partial<Preferences> {
  /** Notifications with the weekly report.
   * @example true */
  @OptionalSwitch()
  weekly_report?: boolean;

  /** A toast for the weekly report.
   * @example false */
  @OptionalSwitch()
  weekly_report_toast?: boolean;

  /** Notifications of completed jobs.
   * @example true */
  @OptionalSwitch()
  job_completed?: boolean;

  /** A toast for completed jobs.
   * @example true */
  @OptionalSwitch()
  job_completed_toast?: boolean;

  /** Notifications of failed jobs.
   * @example true */
  @OptionalSwitch()
  job_failed?: boolean;

  /** A toast for failed jobs.
   * @example true */
  @OptionalSwitch()
  job_failed_toast?: boolean;

  /** Notifications of executed rules.
   * @example false */
  @OptionalSwitch()
  rule_executed?: boolean;

  /** A toast for executed rules.
   * @example false */
  @OptionalSwitch()
  rule_executed_toast?: boolean;

  /** Notifications of storage that runs out.
   * @example true */
  @OptionalSwitch()
  quota_warning?: boolean;

  /** A toast for storage that runs out.
   * @example false */
  @OptionalSwitch()
  quota_warning_toast?: boolean;

  /** Notifications of archived mails found missing or altered.
   * @example true */
  @OptionalSwitch()
  integrity_alert?: boolean;

  /** A toast for archived mails found missing or altered.
   * @example false */
  @OptionalSwitch()
  integrity_alert_toast?: boolean;
}
