import {
  flag,
  formatted,
  integer,
  list,
  maybe,
  moment,
  needed,
  oneOf,
  open,
  orNull,
  paged,
  pages,
  partial,
  record,
  text,
  uuid,
} from './notation';
import type { Routes } from './notation';

export const WEBHOOK_EVENTS = [
  'job.completed',
  'job.failed',
  'rule.executed',
  'quota.warning',
  'integrity.failed',
  'archiving.unhealthy',
  'archiving.recovered',
];
export const WEBHOOK_TYPES = ['generic', 'embedchat', 'blockchat', 'pushnotify'];

/** Categories of notifications and the webhook event that goes with each. */
export const CATEGORIES: Readonly<Record<string, string | null>> = {
  job_completed: 'job.completed',
  job_failed: 'job.failed',
  rule_executed: 'rule.executed',
  quota_warning: 'quota.warning',
  integrity_alert: 'integrity.failed',
  weekly_report: null,
};

const job = {
  jobId: 'archive_mails-1',
  type: 'archive_mails',
  status: 'completed',
  accountId: null,
  total: 2,
  processed: 1,
  failed: 1,
  error: null,
};

/** What an event of that name carries, as webhooks are told. */
export const EVENT_DATA: Readonly<Record<string, object>> = {
  'job.completed': job,
  'job.failed': { ...job, status: 'failed', error: 'why' },
  'rule.executed': {
    ruleId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    name: 'Rule',
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    action: 'trash',
    matched: 1,
    jobId: 'run_rule-1',
  },
  'quota.warning': { usedBytes: 8, quotaBytes: 10, percent: 80 },
  'integrity.failed': {
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    checked: 2,
    missing: 1,
    altered: 0,
    mailIds: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'],
  },
  'archiving.unhealthy': {
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    state: 'behind',
    reason: 'backlog',
    since: '2026-05-04T09:30:00.000Z',
    pending: 12,
  },
  'archiving.recovered': {
    accountId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    since: '2026-05-04T09:30:00.000Z',
  },
};

export const PREFERENCE_DEFAULTS: Readonly<Record<string, boolean>> = {
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

const eventName = oneOf(...WEBHOOK_EVENTS);
const eventNames = list(eventName);
const webhookType = oneOf(...WEBHOOK_TYPES);

const webhook = record(
  {
    id: uuid,
    user_id: uuid,
    name: text(),
    url: text(),
    type: webhookType,
    events: eventNames,
    is_active: flag,
    secret: orNull(text()),
    last_triggered_at: orNull(moment),
    /** 0 for no answer; null before the first delivery, of which the contract does not speak. */
    last_status: integer(),
    created_at: moment,
  },
  { disabled_reason: orNull(text()) },
);

const webhookFields = {
  name: needed(text({ min: 1, max: 100 })),
  url: needed(formatted('uri', { ourMax: 2_048 })),
  type: maybe(webhookType, 'generic'),
  events: needed(list(eventName, { min: 1 })),
};

export const webhooks: Routes = {
  'GET /api/webhooks': { access: 'user', answers: 200, returns: list(webhook) },
  'POST /api/webhooks': {
    access: 'user',
    body: webhookFields,
    answers: 201,
    returns: webhook,
    ours: [409],
  },
  'PUT /api/webhooks/:webhookId': {
    access: 'user',
    body: partial(webhookFields),
    answers: 200,
    returns: webhook,
    refuses: [400, 404],
    ours: [409],
  },
  'PATCH /api/webhooks/:webhookId/toggle': {
    access: 'user',
    answers: 200,
    returns: webhook,
    refuses: [400, 404],
  },
  'DELETE /api/webhooks/:webhookId': {
    access: 'user',
    answers: 204,
    returns: 'nothing',
    refuses: [400, 404],
  },
  'POST /api/webhooks/:webhookId/test': {
    access: 'user',
    answers: 200,
    returns: record({ success: flag }),
    refuses: [400, 404],
    ours: [409],
  },
  'GET /api/webhooks/:webhookId/deliveries': {
    access: 'user',
    query: pages(50),
    answers: 200,
    // The decisions name the route and leave its answer to the service.
    returns: record({
      deliveries: list(
        record({
          id: uuid,
          event_id: uuid,
          event: eventName,
          data: open,
          status: oneOf('pending', 'delivered', 'failed', 'cancelled'),
          attempts: list(
            record({ at: moment, status: integer(), error: orNull(text()), duration_ms: integer() }),
          ),
          next_attempt_at: orNull(moment),
          created_at: moment,
          completed_at: orNull(moment),
        }),
      ),
      ...paged,
    }),
    refuses: [400, 404],
  },
};

const ok = record({ ok: flag });
const preferences = Object.keys(PREFERENCE_DEFAULTS);

export const notifications: Routes = {
  'GET /api/notifications': {
    access: 'user',
    query: { ...pages(20), unread_only: maybe(oneOf('1', 'true', '0', 'false'), 'false') },
    answers: 200,
    returns: record({
      notifications: list(
        record({
          id: uuid,
          user_id: uuid,
          type: oneOf(...Object.keys(CATEGORIES)),
          title: text(),
          body: text(),
          data: open,
          is_read: flag,
          created_at: moment,
        }),
      ),
      unreadCount: integer(),
      page: integer(),
      limit: integer(),
    }),
  },
  'PATCH /api/notifications/:notificationId/read': {
    access: 'user',
    answers: 200,
    returns: record({ success: flag }),
    refuses: [400, 404],
  },
  'POST /api/notifications/read-all': {
    access: 'user',
    answers: 200,
    returns: record({ updated: integer() }),
  },
  'DELETE /api/notifications/:notificationId': {
    access: 'user',
    answers: 200,
    returns: ok,
    refuses: [400, 404],
  },
  'DELETE /api/notifications': { access: 'user', answers: 200, returns: ok },
  'GET /api/notifications/preferences': {
    access: 'user',
    answers: 200,
    returns: record(Object.fromEntries(preferences.map((name) => [name, flag]))),
  },
  'PUT /api/notifications/preferences': {
    access: 'user',
    body: Object.fromEntries(preferences.map((name) => [name, maybe(flag)])),
    answers: 200,
    returns: ok,
  },
};
