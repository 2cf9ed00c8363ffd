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
  open,
  orNull,
  ours,
  paged,
  pages,
  record,
  text,
  uuid,
} from './notation';
import type { Routes } from './notation';
import { job, jobAdditions, JOB_STATUSES } from './jobs';

const role = oneOf('admin', 'user');
const user = {
  id: uuid,
  email: text(),
  name: orNull(text()),
  role,
  is_active: flag,
  max_mailbox_accounts: integer(),
  storage_quota_bytes: integer(),
};
const me = record({ ...user, totp_enabled: flag, created_at: moment }, { has_password: flag });

const session = record({
  access_token: text(),
  token_type: oneOf('Bearer'),
  expires_in: integer(),
  refresh_token: text(),
  user: me,
});

const account = record({
  id: uuid,
  email: text(),
  provider: text(),
  is_active: flag,
  status: oneOf('connected', 'needs_reauth', 'rate_limited', 'disconnected'),
  last_synced_at: orNull(moment),
  created_at: moment,
});

export const auth: Routes = {
  'POST /api/auth/register': {
    access: 'public',
    body: {
      email: needed(formatted('email', { ourMax: 320 })),
      password: needed(text({ min: 8, max: 128 })),
      name: maybe(orNull(text({ ourMin: 1, ourMax: 200 }))),
    },
    answers: 201,
    returns: session,
    refuses: [403, 409, 429],
    ours: [503],
  },
  'POST /api/auth/login': {
    access: 'public',
    body: {
      email: needed(formatted('email', { ourMax: 320 })),
      password: needed(text({ ourMin: 1, ourMax: 128 })),
      totp_code: maybe(text({ ourMin: 1, ourMax: 64 })),
    },
    answers: 200,
    returns: session,
    refuses: [401, 429],
    ours: [409, 503],
  },
  'POST /api/auth/refresh': {
    access: 'public',
    // Or the cookie.
    body: { refresh_token: maybe(text({ ourMin: 1, ourMax: 200 })) },
    answers: 200,
    returns: session,
    refuses: [401, 429],
    ours: [400, 409],
  },
  'POST /api/auth/logout': { access: 'user', answers: 204, returns: 'nothing' },
  'GET /api/auth/config': {
    access: 'public',
    answers: 200,
    returns: record(
      { allowRegistration: flag, providers: list(text()) },
      {
        oidc: orNull(record({ name: text(), login_url: text() })),
        setupRequired: flag,
        appUrl: text(),
        version: text(),
        sandbox: flag,
        maxUploadBytes: integer(),
      },
    ),
  },
  'GET /api/auth/me': {
    access: 'user',
    answers: 200,
    returns: record(
      { user: me, mailboxAccounts: list(account), storageUsedBytes: integer() },
      {
        preferences: record({
          language: orNull(oneOf('en', 'fr')),
          timezone: orNull(text()),
          theme: orNull(oneOf('light', 'dark')),
          density: orNull(oneOf('comfortable', 'compact')),
        }),
      },
    ),
  },
  'GET /api/auth/mailbox/connect': {
    access: 'user',
    query: { provider: needed(oneOf('gmail')), accountId: ours(maybe(uuid)) },
    answers: 200,
    returns: record({ url: text() }),
    refuses: [403],
    ours: [503],
  },
  'GET /api/auth/mailbox/callback': {
    access: 'public',
    query: { state: maybe(text()), code: maybe(text()), error: maybe(text()) },
    answers: 302,
    returns: 'nothing',
    ours: [400],
  },
  'PATCH /api/auth/mailbox/:accountId/toggle': {
    access: 'account',
    answers: 200,
    returns: record({ id: uuid, is_active: flag }),
    ours: [409],
  },
  'DELETE /api/auth/mailbox/:accountId': {
    access: 'account',
    query: { purge: maybe(flag, false) },
    answers: 204,
    returns: 'nothing',
    // Messages leave the mailbox because the archive has them.
    ours: [409],
  },
};

const listedUser = record(
  {
    ...user,
    mailbox_accounts_count: integer(),
    storage_used_bytes: integer(),
    last_login_at: orNull(moment),
    created_at: moment,
  },
  { awaits_admin_role: flag },
);

export const admin: Routes = {
  'GET /api/admin/stats': {
    access: 'admin',
    answers: 200,
    returns: record({
      users: integer(),
      mailboxAccounts: integer(),
      jobs: record({ total: integer(), completed: integer(), failed: integer(), active: integer() }),
      archives: record({ totalMails: integer(), totalSizeBytes: integer() }),
    }),
  },
  'GET /api/admin/users': {
    access: 'admin',
    query: { ...pages(50), search: maybe(text({ ourMax: 320 })) },
    answers: 200,
    returns: record({ users: list(listedUser), ...paged }),
  },
  'GET /api/admin/users/:userId': {
    access: 'admin',
    answers: 200,
    returns: record({
      user: listedUser,
      mailboxAccounts: list(account),
      recentJobs: list(record(job, jobAdditions)),
    }),
    refuses: [400, 404],
  },
  'PATCH /api/admin/users/:userId': {
    access: 'admin',
    body: {
      role: maybe(role),
      is_active: maybe(flag),
      max_mailbox_accounts: maybe(integer({ min: 1, max: 50 })),
      storage_quota_bytes: maybe(integer({ ourMin: 0, ourMax: 2 ** 50 })),
    },
    answers: 200,
    returns: listedUser,
    refuses: [400, 404, 409],
  },
  'GET /api/admin/jobs': {
    access: 'admin',
    query: { ...pages(50), status: maybe(oneOf(...JOB_STATUSES)) },
    answers: 200,
    returns: record({ jobs: list(record({ ...job, user_email: text() }, jobAdditions)), ...paged }),
  },
  'POST /api/admin/integrity/check': {
    access: 'admin',
    headers: idempotent,
    answers: 202,
    returns: record({ jobId }),
    refuses: [409],
    ours: [400],
  },
};

export const service: Routes = {
  'GET /health/live': {
    access: 'public',
    answers: 200,
    returns: record({}, { status: text(), version: text() }),
  },
  'GET /health/ready': {
    access: 'public',
    answers: 200,
    returns: record({}, { status: text() }),
    ours: [503],
  },
  'GET /metrics': {
    access: 'public',
    answers: 200,
    type: 'text/plain',
    returns: 'text',
    undocumented: true,
  },
  'GET /api/docs': { access: 'public', answers: 200, type: 'text/html', returns: 'text', undocumented: true },
  'GET /api/openapi.json': { access: 'public', answers: 200, returns: open, undocumented: true },
};
