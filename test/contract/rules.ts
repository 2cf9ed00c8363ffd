import {
  flag,
  formatted,
  idempotent,
  integer,
  jobId,
  list,
  maybe,
  moment,
  needed,
  oneOf,
  orAbsent,
  orNull,
  ours,
  partial,
  record,
  scalar,
  text,
  upTo,
  uuid,
} from './notation';
import type { Routes } from './notation';

const TEXT_OPERATORS = ['contains', 'not_contains', 'equals', 'not_equals'];

/** Which operators a field takes. */
export const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  from: TEXT_OPERATORS,
  to: TEXT_OPERATORS,
  subject: TEXT_OPERATORS,
  has_attachment: ['is_true'],
  size_gt: ['gt'],
  size_lt: ['lt'],
  label: ['equals', 'not_equals'],
  older_than: ['equals'],
  newer_than: ['equals'],
};

export const RULE_ACTIONS = [
  'trash',
  'delete',
  'label',
  'unlabel',
  'archive',
  'archive_nas',
  'mark_read',
  'mark_unread',
];
export const SCHEDULES = ['hourly', 'daily', 'weekly', 'monthly'];
export const TEMPLATE_CATEGORIES = ['cleanup', 'archive', 'organize'];

const operators = [...new Set(Object.values(OPERATORS).flat())];
const condition = record({
  field: oneOf(...Object.keys(OPERATORS)),
  operator: oneOf(...operators),
  value: scalar,
});
const action = record({ type: oneOf(...RULE_ACTIONS), labelId: orAbsent(text()) });
const schedule = orNull(oneOf(...SCHEDULES));

/** In a request the value of `is_true` may be left out, and a label is an id the service can store. */
const askedCondition = record({ ...condition.fields, value: orAbsent(scalar) });
const askedAction = record({ ...action.fields, labelId: orAbsent(text({ ourMin: 1, ourMax: 255 })) });
const conditions = needed(list(askedCondition, { min: 1, ourMax: 20 }));

const rule = record({
  id: uuid,
  mailbox_account_id: uuid,
  name: text(),
  description: text(),
  conditions: list(condition),
  action,
  schedule,
  is_active: flag,
  last_run_at: orNull(moment),
  last_run_count: orNull(integer()),
  created_at: moment,
  updated_at: moment,
});

const fields = {
  name: needed(text({ ourMin: 1, ourMax: 255 })),
  description: maybe(text({ ourMax: 2_000 }), ''),
  conditions,
  action: needed(askedAction),
  schedule: maybe(schedule),
  is_active: maybe(flag, true),
};

export const rules: Routes = {
  'GET /api/rules/:accountId': { access: 'account', answers: 200, returns: list(rule) },
  'POST /api/rules/:accountId': {
    access: 'account',
    body: fields,
    answers: 201,
    returns: rule,
    ours: [409, 503],
  },
  'PUT /api/rules/:accountId/:ruleId': {
    access: 'account',
    body: partial(fields),
    answers: 200,
    returns: rule,
    refuses: [404],
    ours: [409, 503],
  },
  'PATCH /api/rules/:accountId/:ruleId/toggle': {
    access: 'account',
    answers: 200,
    returns: rule,
    refuses: [404],
  },
  'DELETE /api/rules/:accountId/:ruleId': {
    access: 'account',
    answers: 204,
    returns: 'nothing',
    refuses: [404],
  },
  'POST /api/rules/:accountId/:ruleId/run': {
    access: 'account',
    headers: idempotent,
    starts: 'run_rule',
    answers: 202,
    returns: record({ jobId, message: text() }),
    refuses: [404, 409],
  },
  'POST /api/rules/:accountId/preview': {
    access: 'account',
    body: { conditions },
    answers: 200,
    returns: record(
      { query: text(), estimatedCount: integer() },
      { starredCount: integer(), importantCount: integer() },
    ),
    refuses: [409, 503],
  },
  'GET /api/rules/templates': {
    access: 'user',
    answers: 200,
    returns: list(
      record({
        id: text(),
        name: text(),
        description: text(),
        category: oneOf(...TEMPLATE_CATEGORIES),
        dto: record({ name: text(), conditions: list(condition), action, schedule }),
      }),
    ),
  },
  'POST /api/rules/:accountId/from-template': {
    access: 'account',
    body: { templateId: needed(text({ ourMin: 1, ourMax: 100 })) },
    answers: 201,
    returns: rule,
    refuses: [404],
    ours: [409],
  },
};

const precious = { starredCount: integer(), importantCount: integer() };

export const newsletters: Routes = {
  'POST /api/unsubscribe/:accountId/scan': {
    access: 'account',
    headers: idempotent,
    starts: 'scan_unsubscribe',
    answers: 202,
    returns: record({ jobId, message: text() }),
    refuses: [409],
    ours: [503],
  },
  'GET /api/unsubscribe/:accountId/newsletters': {
    access: 'account',
    query: { limit: ours(maybe(upTo({ ourMax: 2_000 }), 2_000)) },
    answers: 200,
    returns: list(
      record({
        sender: text(),
        email: text(),
        count: integer(),
        totalSizeBytes: integer(),
        unsubscribeUrl: orNull(text()),
        unsubscribeMailto: orNull(text()),
        oneClick: flag,
        lastDate: moment,
      }),
    ),
    refuses: [409, 503],
  },
  'GET /api/unsubscribe/:accountId/newsletters/:senderEmail/messages': {
    access: 'account',
    answers: 200,
    returns: record(
      { messageIds: list(text()), count: integer() },
      { ...precious, unmarkedCount: integer() },
    ),
    refuses: [409, 503],
  },
  'POST /api/unsubscribe/:accountId/newsletters/:senderEmail/delete': {
    access: 'account',
    headers: idempotent,
    body: { permanent: maybe(flag, false), leaveOut: ours(maybe(list(oneOf('starred', 'important')))) },
    answers: 202,
    returns: record({ jobId: orNull(formatted('job-id')), count: integer() }, precious),
    refuses: [409, 503],
  },
};
