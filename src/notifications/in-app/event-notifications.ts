import type { MailroomEvent } from '../../events/events';
import {
  integrityFailedText,
  jobCompletedText,
  jobFailedText,
  NotificationText,
  quotaWarningText,
  ruleExecutedText,
  weeklyReportText,
} from './notification-texts';
import type { NotificationCategory } from './notification-category';

type EventType = MailroomEvent['type'];
type DataOf<T extends EventType> = Extract<MailroomEvent, { type: T }>['data'];

interface EventNotification<T extends EventType> {
  readonly category: NotificationCategory;
  readonly text: (data: DataOf<T>) => NotificationText;
}

/** Complete by its type: an event nobody has written a text for does not compile. */
const NOTIFICATIONS: { readonly [T in EventType]: EventNotification<T> } = {
  'job.completed': { category: 'job_completed', text: jobCompletedText },
  'job.failed': { category: 'job_failed', text: jobFailedText },
  'rule.executed': { category: 'rule_executed', text: ruleExecutedText },
  'quota.warning': { category: 'quota_warning', text: quotaWarningText },
  'integrity.failed': { category: 'integrity_alert', text: integrityFailedText },
  'weekly.report': { category: 'weekly_report', text: weeklyReportText },
};

/** What a user is told of an event. */
export function notificationOf<T extends EventType>(event: {
  readonly type: T;
  readonly data: DataOf<T>;
}): NotificationText & { readonly type: NotificationCategory } {
  const { category, text } = NOTIFICATIONS[event.type];
  return { type: category, ...text(event.data) };
}
