import { applyDecorators } from '@nestjs/common';
import { IsBoolean } from 'class-validator';
import { MayBeAbsent } from '../../common/validation/field-rules';
import type { Preferences } from '../notification.entity';

/** May be left out; null is a mistake. */
const OptionalSwitch = (): PropertyDecorator => applyDecorators(MayBeAbsent(), IsBoolean());

/** Any of the preferences; those left out stay as they are. */
export class ChangePreferencesDto implements Partial<Preferences> {
  /** The weekly report.
   * @example true */
  @OptionalSwitch()
  weekly_report?: boolean;

  /** A toast for the weekly report.
   * @example false */
  @OptionalSwitch()
  weekly_report_toast?: boolean;

  /** Completed jobs.
   * @example true */
  @OptionalSwitch()
  job_completed?: boolean;

  /** A toast for completed jobs.
   * @example true */
  @OptionalSwitch()
  job_completed_toast?: boolean;

  /** Failed jobs.
   * @example true */
  @OptionalSwitch()
  job_failed?: boolean;

  /** A toast for failed jobs.
   * @example true */
  @OptionalSwitch()
  job_failed_toast?: boolean;

  /** Executed rules.
   * @example false */
  @OptionalSwitch()
  rule_executed?: boolean;

  /** A toast for executed rules.
   * @example false */
  @OptionalSwitch()
  rule_executed_toast?: boolean;

  /** Storage running out.
   * @example true */
  @OptionalSwitch()
  quota_warning?: boolean;

  /** A toast for storage running out.
   * @example false */
  @OptionalSwitch()
  quota_warning_toast?: boolean;

  /** Archived mails found missing or altered.
   * @example true */
  @OptionalSwitch()
  integrity_alert?: boolean;

  /** A toast for archived mails found missing or altered.
   * @example false */
  @OptionalSwitch()
  integrity_alert_toast?: boolean;
}
