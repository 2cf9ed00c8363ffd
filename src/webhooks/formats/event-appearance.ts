import type { WebhookEvent } from '../../events/events';

interface EventAppearance {
  /** Whether it is good news: green where there are colours, red otherwise. */
  readonly success: boolean;
  /** Of push notifications, 1 to 5; 3 is the default of receivers. */
  readonly priority: 3 | 4;
  /** Short code of an emoji. */
  readonly emoji: string;
}

export const EVENT_APPEARANCE: Readonly<Record<WebhookEvent, EventAppearance>> = {
  'job.completed': { success: true, priority: 3, emoji: 'white_check_mark' },
  'job.failed': { success: false, priority: 4, emoji: 'x' },
  'rule.executed': { success: true, priority: 3, emoji: 'gear' },
  'quota.warning': { success: false, priority: 3, emoji: 'warning' },
  'integrity.failed': { success: false, priority: 4, emoji: 'rotating_light' },
};
