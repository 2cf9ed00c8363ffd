import {
  day,
  flag,
  formatted,
  integer,
  list,
  maybe,
  moment,
  number,
  oneOf,
  orAbsent,
  orNull,
  ours,
  record,
  text,
  upTo,
  uuid,
} from './notation';
import type { Routes } from './notation';

/** What figures of a live mailbox answer when the account or its provider cannot be asked. */
const live = { refuses: [409, 503] };
const tz = { tz: maybe(text(), 'UTC') };
/** `1` forces recomputation. */
const refresh = { refresh: maybe(oneOf('1', '0', 'true', 'false'), '0') };
const inbox = { inboxCount: integer(), unreadCount: integer() };

export const SUGGESTION_TYPES = ['bulk_unread', 'large_sender', 'old_newsletters', 'duplicate_pattern'];

export const dashboard: Routes = {
  'GET /api/dashboard/:accountId/stats': {
    access: 'account',
    query: { limit: maybe(upTo({ ourMax: 100 }), 20), ...tz, scope: maybe(oneOf('newest', 'all'), 'newest') },
    answers: 200,
    returns: record({
      totalMessages: integer(),
      unreadCount: integer(),
      totalSizeBytes: integer(),
      bySender: list(record({ sender: text(), count: integer(), sizeBytes: integer() })),
      biggestMails: list(
        record({ id: text(), subject: text(), sizeEstimate: integer(), from: text(), date: moment }),
      ),
      byLabel: list(record({ label: text(), count: integer() })),
      timeline: list(record({ month: formatted('month'), count: integer() })),
      profile: record({ emailAddress: text(), messagesTotal: integer() }),
      coverage: orAbsent(record({ indexed: integer(), total: integer(), complete: flag })),
    }),
    ...live,
  },
  'GET /api/dashboard/:accountId/archive-stats': {
    access: 'account',
    answers: 200,
    returns: record({
      total_mails: integer(),
      total_size: integer(),
      last_archived_at: orNull(moment),
      bySender: list(
        record({ sender: text(), count: formatted('numeric'), total_size: formatted('numeric') }),
      ),
    }),
  },
};

export const analytics: Routes = {
  'GET /api/analytics/:accountId/heatmap': {
    access: 'account',
    query: { ...refresh, ...tz },
    answers: 200,
    returns: list(
      record({
        day: integer({ min: 0, max: 6 }),
        hour: integer({ min: 0, max: 23 }),
        count: integer(),
      }),
    ),
    ...live,
  },
  'GET /api/analytics/:accountId/sender-scores': {
    access: 'account',
    query: { ...refresh, limit: ours(maybe(upTo({ ourMax: 2_000 }), 2_000)) },
    answers: 200,
    returns: list(
      record({
        sender: text(),
        emailCount: integer(),
        totalSizeBytes: integer(),
        unreadCount: integer(),
        hasUnsubscribe: flag,
        readRate: number({ min: 0, max: 1 }),
        clutterScore: integer({ min: 0, max: 100 }),
      }),
    ),
    ...live,
  },
  'GET /api/analytics/:accountId/cleanup-suggestions': {
    access: 'account',
    query: refresh,
    answers: 200,
    returns: list(
      record({
        id: uuid,
        type: oneOf(...SUGGESTION_TYPES),
        title: text(),
        description: text(),
        sender: text(),
        emailCount: integer(),
        totalSizeBytes: integer(),
        query: text(),
        isDismissed: flag,
      }),
    ),
    ...live,
  },
  'PATCH /api/analytics/suggestions/:suggestionId/dismiss': {
    access: 'user',
    answers: 200,
    returns: record({ ok: flag }),
    refuses: [400, 404],
  },
  'GET /api/analytics/:accountId/inbox-zero': {
    access: 'account',
    query: refresh,
    answers: 200,
    returns: record({
      current: record(inbox),
      history: list(record({ date: day, ...inbox })),
      streak: integer(),
      bestStreak: integer(),
    }),
    ...live,
  },
  'POST /api/analytics/:accountId/inbox-zero/snapshot': {
    access: 'account',
    answers: 200,
    returns: record(inbox),
    ...live,
  },
};

const used = { units: integer(), calls: integer() };

export const quota: Routes = {
  'GET /api/quota/:accountId': {
    access: 'account',
    answers: 200,
    returns: record({
      limits: record(
        { perSecond: integer(), perMinute: integer() },
        { receivedBytesPerDay: orNull(integer()), sentBytesPerDay: orNull(integer()) },
      ),
      usage: record({
        lastMinute: record({ ...used, percentOfLimit: number() }),
        lastHour: record(used),
        last24h: record(used, { receivedBytes: orNull(integer()), sentBytes: orNull(integer()) }),
      }),
      topEndpoints: list(record({ endpoint: text(), ...used })),
      hourlyBreakdown: list(record({ hour: moment, ...used })),
    }),
    ours: [503],
  },
  'POST /api/quota/cleanup': {
    access: 'admin',
    answers: 200,
    returns: record({ deleted: integer() }),
  },
};
