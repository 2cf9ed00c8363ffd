import { v7 } from 'uuid';
import type { WireRequest } from './exchange';
import type { Operation } from './operations';
import { PASSPHRASE, World } from './world';

/** A valid request of an operation, made of a world's resources. */
export interface ValidRequest {
  readonly operation: Operation;
  /** By name, not encoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Of a JSON request; undefined for none. */
  readonly body: unknown;
  /** Of a form with one file. */
  readonly file: string | undefined;
  /** Of a request that is bytes. */
  readonly bytes: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whose call succeeds. */
  readonly caller: 'owner' | 'admin' | 'nobody';
  /** What they are answered: the success the document promises, unless the world is in a state that forbids it. */
  readonly answer: { readonly status: number; readonly code?: string };
}

type Choice = Partial<Pick<ValidRequest, 'query' | 'body' | 'file' | 'bytes' | 'headers' | 'answer'>>;
type Entry = Choice | ((world: World) => Choice);

const refused = (status: number, code: string): Pick<ValidRequest, 'answer'> => ({
  answer: { status, code },
});
const body = (value: unknown): Choice => ({ body: value });

/** Of the form of a token, and nobody's. */
const NO_TOKEN = 'x'.repeat(43);

const CONDITIONS = [{ field: 'subject', operator: 'contains', value: 'no such subject' }];
const RULE = { name: 'Another', conditions: CONDITIONS, action: { type: 'mark_read' } };
const WEBHOOK = { name: 'Another', events: ['quota.warning'] };
// Nobody listens there.
const IMAP_SERVER = { email: 'ada@imap.test', password: 'x', host: '127.0.0.1', port: 1 };
const IDENTITY = (world: World): object => ({ password: world.user.password });
const PROOF = (world: World): object => ({ password: world.user.password, totp_code: '000000' });
const MESSAGES = ({ parameters }: World): object => ({ messageIds: [parameters['messageId']] });

/**
 * What is to be sent with every operation beside the path's parameters, which a world has. An operation that is not
 * here fails the authorisation matrix.
 */
const REQUESTS: Readonly<Record<string, Entry>> = {
  'GET /health/live': {},
  'GET /health/ready': {},

  'POST /api/auth/register': () =>
    body({ email: `registered-${v7()}@users.test`, password: 'correct horse battery' }),
  'POST /api/auth/invitation': { body: { token: NO_TOKEN }, ...refused(404, 'invitation-invalid') },
  'POST /api/auth/invitation/accept': {
    body: { token: NO_TOKEN, password: 'correct horse battery' },
    ...refused(404, 'invitation-invalid'),
  },
  'POST /api/auth/password-reset': { body: { token: NO_TOKEN }, ...refused(404, 'password-reset-invalid') },
  'POST /api/auth/password-reset/complete': {
    body: { token: NO_TOKEN, password: 'correct horse battery' },
    ...refused(404, 'password-reset-invalid'),
  },
  'POST /api/auth/login': ({ user }) => body({ email: user.email, password: user.password }),
  'POST /api/auth/refresh': (world) => body({ refresh_token: world.refreshToken }),
  'POST /api/auth/logout': {},
  'GET /api/auth/config': {},
  'GET /api/auth/me': {},
  'GET /api/auth/mailbox/connect': ({ accountId }) => ({ query: { provider: 'gmail', accountId } }),
  'GET /api/auth/mailbox/callback': { query: { state: 'unknown', code: 'unknown' } },
  'POST /api/auth/mailbox/imap/discover': body({ email: 'ada@gmail.com' }),
  'POST /api/auth/mailbox/imap/test': body(IMAP_SERVER),
  'POST /api/auth/mailbox/imap': { body: IMAP_SERVER, ...refused(400, 'imap-port-closed') },
  'GET /api/auth/mailbox/{accountId}/imap': refused(404, 'imap-account-not-found'),
  'PATCH /api/auth/mailbox/{accountId}/imap': {
    body: { roles: {} },
    ...refused(404, 'imap-account-not-found'),
  },
  'PATCH /api/auth/mailbox/{accountId}/toggle': {},
  'DELETE /api/auth/mailbox/{accountId}': {},
  'GET /api/auth/2fa': {},
  'POST /api/auth/2fa/setup': ({ user }) => body({ password: user.password }),
  'POST /api/auth/2fa/enable': { body: { totp_code: '000000' }, ...refused(403, 'totp-invalid') },
  'POST /api/auth/2fa/disable': (world) => ({ body: PROOF(world), ...refused(409, 'totp-not-enabled') }),
  'POST /api/auth/2fa/recovery-codes': (world) => ({
    body: PROOF(world),
    ...refused(409, 'totp-not-enabled'),
  }),
  'POST /api/auth/password': ({ user }) =>
    body({ current: user.password, next: 'staple of a correct horse' }),
  'PATCH /api/auth/me': body({ name: 'Another' }),
  'GET /api/auth/sessions': {},
  'DELETE /api/auth/sessions': {},
  'DELETE /api/auth/sessions/{sessionId}': {},
  'GET /api/auth/preferences': {},
  'PATCH /api/auth/preferences': body({ language: 'fr', timezone: 'Europe/Paris' }),
  'GET /api/auth/api-keys': {},
  'POST /api/auth/api-keys': ({ accountId }) =>
    body({ name: 'Another', scope: 'read', accountIds: [accountId] }),
  'DELETE /api/auth/api-keys/{keyId}': {},
  'GET /api/auth/oidc/login': refused(404, 'oidc-not-configured'),
  'GET /api/auth/oidc/callback': refused(404, 'oidc-not-configured'),
  'POST /api/auth/oidc/link': (world) => ({ body: IDENTITY(world), ...refused(404, 'oidc-not-configured') }),
  'POST /api/auth/oidc/unlink': (world) => ({ body: IDENTITY(world), ...refused(409, 'oidc-not-linked') }),

  'GET /api/mailbox/{accountId}/profile': {},
  'GET /api/mailbox/{accountId}/messages': { query: { q: 'in:anywhere', maxResults: '2' } },
  'POST /api/mailbox/{accountId}/messages/batch': ({ parameters }) =>
    body({ ids: [parameters['messageId']] }),
  'GET /api/mailbox/{accountId}/messages/{messageId}': {},
  'GET /api/mailbox/{accountId}/messages/{messageId}/full': {},
  'GET /api/mailbox/{accountId}/messages/{messageId}/safe-html': {},
  'POST /api/mailbox/{accountId}/messages/{messageId}/remote-images': {},
  'GET /api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}': {},
  'POST /api/mailbox/{accountId}/selections': body({ query: 'in:inbox', leaveOut: ['starred'] }),
  'POST /api/mailbox/{accountId}/messages/bulk': (world) =>
    body({ action: 'label', labelId: world.parameters['labelId'], ...MESSAGES(world) }),
  'GET /api/mailbox/{accountId}/labels': { query: { counts: 'true' } },
  'POST /api/mailbox/{accountId}/labels': () => body({ name: `Label ${v7()}` }),
  'DELETE /api/mailbox/{accountId}/labels/{labelId}': {},

  'GET /api/jobs': ({ accountId }) => ({ query: { accountId, limit: '5' } }),
  'GET /api/jobs/events': {},
  'GET /api/jobs/{jobId}': {},
  'DELETE /api/jobs/{jobId}': {},
  'POST /api/jobs/{jobId}/resume': refused(409, 'job-not-resumable'),
  'POST /api/jobs/{jobId}/retry-failed': refused(409, 'job-not-retryable'),
  'GET /api/jobs/{jobId}/undo': {},
  'POST /api/jobs/{jobId}/undo': refused(409, 'job-not-finished'),
  'GET /api/jobs/{jobId}/events': {},

  'POST /api/archive/{accountId}/archive': (world) => body(MESSAGES(world)),
  'GET /api/archive/{accountId}/mails': { query: { q: 'number', limit: '5' } },
  'GET /api/archive/search': ({ accountId }) => ({ query: { q: 'number', accountId, limit: '5' } }),
  'GET /api/archive/{accountId}/integrity': {},
  'GET /api/archive/{accountId}/facets': { query: { label: 'INBOX' } },
  'GET /api/archive/{accountId}/mails/{mailId}': {},
  'GET /api/archive/{accountId}/mails/{mailId}/eml': {},
  'GET /api/archive/{accountId}/mails/{mailId}/safe-html': {
    headers: { 'x-archive-passphrase': PASSPHRASE },
  },
  // The job of a request before it may have encrypted the mail by now.
  'POST /api/archive/{accountId}/mails/{mailId}/remote-images': {
    headers: { 'x-archive-passphrase': PASSPHRASE },
  },
  'GET /api/archive/{accountId}/attachments/{attachmentId}/download': {},
  'GET /api/archive/{accountId}/threads': {},
  'GET /api/archive/{accountId}/threads/{threadId}': {},
  'POST /api/archive/{accountId}/export-zip': ({ parameters }) => body({ mailIds: [parameters['mailId']] }),

  'POST /api/archive/{accountId}/exports': ({ parameters }) =>
    body({ format: 'zip', mailIds: [parameters['mailId']] }),
  'GET /api/archive/{accountId}/exports/{exportId}': {},
  // Another number than it has: the mail is needed.
  'POST /api/archive/{accountId}/delete': ({ parameters }) => ({
    body: { mailIds: [parameters['mailId']], confirmedCount: 2 },
    ...refused(409, 'count-mismatch'),
  }),

  'POST /api/archive/{accountId}/export-mailbox': ({ parameters }) => ({
    ...body({ select: { mailIds: [parameters['mailId']] }, format: 'maildir' }),
    headers: { 'x-archive-passphrase': PASSPHRASE },
  }),
  'POST /api/restore/{accountId}': ({ accountId, parameters }) =>
    body({ select: { mailIds: [parameters['mailId']] }, target: { accountId } }),
  'GET /api/restore/{accountId}': { query: { limit: '5' } },
  'GET /api/restore/{accountId}/{restoreId}': {},
  'GET /api/restore/{accountId}/{restoreId}/items': { query: { limit: '5' } },
  'GET /api/restore/{accountId}/{restoreId}/report': {},
  'POST /api/restore/{accountId}/{restoreId}/start': refused(409, 'dry-run-missing'),
  'POST /api/offload/{accountId}/plans': (world) => body({ select: MESSAGES(world), mode: 'fast' }),
  'GET /api/offload/{accountId}/plans': { query: { limit: '5' } },
  'GET /api/offload/{accountId}/plans/{planId}': {},
  'GET /api/offload/{accountId}/plans/{planId}/messages': { query: { state: 'trashed' } },
  'DELETE /api/offload/{accountId}/plans/{planId}': refused(409, 'plan-done'),
  'POST /api/offload/{accountId}/plans/{planId}/confirm': {
    body: { digest: '0'.repeat(64), count: 1 },
    ...refused(409, 'plan-done'),
  },
  'GET /api/offload/{accountId}/receipts': { query: { limit: '5' } },
  'GET /api/offload/{accountId}/receipts/{planId}': {},
  'GET /api/offload/{accountId}/receipts/{planId}/items': {},
  'GET /api/offload/{accountId}/schedule': {},
  'PUT /api/offload/{accountId}/schedule': (world) =>
    body({ select: MESSAGES(world), mode: 'fast', graceDays: 30, maxPerNight: 10, isActive: false }),
  'GET /api/offload/keys': {},

  'GET /api/storage/config': {},
  'PUT /api/storage/config': body({ type: 'local' }),
  'POST /api/storage/test-objstore': body({
    endpoint: 'http://127.0.0.1:1',
    accessKeyId: 'nobody',
    secretAccessKey: 'nothing',
  }),

  'POST /api/import/{accountId}/export-mbox': ({ parameters }) => body({ mailIds: [parameters['mailId']] }),
  'POST /api/import/{accountId}/mbox': {
    file: 'From x@example.org Thu Nov 24 18:22:48 1986\nFrom: x@example.org\nMessage-ID: <mbox@x>\n\nText\n\n',
  },
  // It would count among the two uploads that a user may have.
  'POST /api/import/{accountId}/uploads': {
    body: { filename: 'mail.mbox', size: Number.MAX_SAFE_INTEGER },
    ...refused(413, 'upload-too-large'),
  },
  'GET /api/import/{accountId}/uploads': {},
  'GET /api/import/{accountId}/uploads/{uploadId}': {},
  'PATCH /api/import/{accountId}/uploads/{uploadId}': { headers: { 'upload-offset': '0' }, bytes: '' },
  'DELETE /api/import/{accountId}/uploads/{uploadId}': {},
  'POST /api/import/{accountId}/uploads/{uploadId}/complete': refused(409, 'upload-incomplete'),
  'POST /api/import/{accountId}/imap': body({
    host: '127.0.0.1',
    port: 1,
    secure: false,
    user: 'nobody',
    pass: 'nothing',
  }),

  'GET /api/archiving/{accountId}': {},
  'PUT /api/archiving/{accountId}': body({ verifyDays: 30 }),
  'POST /api/archiving/{accountId}/reconcile': {},

  'GET /api/retention': {},
  'POST /api/retention': ({ accountId }) =>
    body({ name: 'Another', maxAgeDays: 36_500, mailboxAccountId: accountId }),
  'POST /api/retention/run': {},
  'GET /api/retention/{policyId}/preview': {},
  'PUT /api/retention/{policyId}': ({ accountId }) =>
    body({ name: 'Renamed', maxAgeDays: 36_499, mailboxAccountId: accountId }),
  'DELETE /api/retention/{policyId}': {},

  'GET /api/coverage/{accountId}': {},
  'GET /api/coverage/{accountId}/messages': { query: { class: 'pending' } },
  'GET /api/coverage/{accountId}/messages/{messageId}': {},
  'POST /api/coverage/{accountId}/deletable': (world) => body(MESSAGES(world)),

  'GET /api/saved-searches': {},
  'POST /api/saved-searches': body({ name: 'Another', query: 'is:read', icon: 'star', color: '#123456' }),
  'PUT /api/saved-searches/reorder': ({ secondSearchId, parameters }) =>
    body({ ids: [secondSearchId, parameters['searchId']] }),
  'PUT /api/saved-searches/{searchId}': body({ name: 'Renamed', sort_order: 7 }),
  'DELETE /api/saved-searches/{searchId}': {},

  'GET /api/rules/templates': {},
  'GET /api/rules/{accountId}': {},
  'POST /api/rules/{accountId}': body(RULE),
  'POST /api/rules/{accountId}/preview': body({ conditions: CONDITIONS }),
  'POST /api/rules/{accountId}/from-template': body({ templateId: 'trash-old-promotions' }),
  'PUT /api/rules/{accountId}/{ruleId}': body({ name: 'Renamed' }),
  'DELETE /api/rules/{accountId}/{ruleId}': {},
  'PATCH /api/rules/{accountId}/{ruleId}/toggle': {},
  'POST /api/rules/{accountId}/{ruleId}/run': {},

  'POST /api/unsubscribe/{accountId}/scan': {},
  'GET /api/unsubscribe/{accountId}/newsletters': {},
  'GET /api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages': {},
  'POST /api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete': body({ permanent: false }),

  'GET /api/dashboard/{accountId}/stats': { query: { limit: '5', tz: 'Europe/Berlin', scope: 'all' } },
  'GET /api/dashboard/{accountId}/archive-stats': {},
  'PATCH /api/analytics/suggestions/{suggestionId}/dismiss': {},
  'GET /api/analytics/{accountId}/heatmap': { query: { refresh: '1' } },
  'GET /api/analytics/{accountId}/sender-scores': {},
  'GET /api/analytics/{accountId}/cleanup-suggestions': {},
  'GET /api/analytics/{accountId}/inbox-zero': {},
  'POST /api/analytics/{accountId}/inbox-zero/snapshot': {},
  'GET /api/attachments/{accountId}/archived': { query: { sort: 'size', order: 'asc' } },
  'GET /api/attachments/{accountId}/live': {},
  'GET /api/quota/{accountId}': {},
  'POST /api/quota/cleanup': {},

  'GET /api/notifications/preferences': {},
  'PUT /api/notifications/preferences': body({ weekly_report: false }),
  'GET /api/events': {},
  'GET /api/notifications/events': {},
  'GET /api/notifications': {},
  'DELETE /api/notifications': {},
  'POST /api/notifications/read-all': {},
  'PATCH /api/notifications/{notificationId}/read': {},
  'DELETE /api/notifications/{notificationId}': {},

  'GET /api/webhooks': {},
  'POST /api/webhooks': ({ options }) => body({ ...WEBHOOK, url: options.receiver.url('/another') }),
  'PUT /api/webhooks/{webhookId}': body({ name: 'Renamed' }),
  'DELETE /api/webhooks/{webhookId}': {},
  'PATCH /api/webhooks/{webhookId}/toggle': {},
  'POST /api/webhooks/{webhookId}/test': {},
  'GET /api/webhooks/{webhookId}/deliveries': {},

  'POST /api/admin/integrity/check': {},
  'GET /api/admin/stats': {},
  'GET /api/admin/jobs': {},
  'GET /api/admin/users': {},
  'POST /api/admin/users': () => body({ email: `invited-${v7()}@users.test`, role: 'user' }),
  'POST /api/admin/users/{userId}/invitation': refused(409, 'user-has-signed-in'),
  'POST /api/admin/users/{userId}/password-reset': {},
  'GET /api/admin/users/{userId}': {},
  'PATCH /api/admin/users/{userId}': body({ max_mailbox_accounts: 7 }),
  'DELETE /api/admin/users/{userId}': {},
  'GET /api/audit': {},
  'GET /api/admin/audit': ({ parameters }) => ({ query: { userId: parameters['userId']! } }),

  'GET /api/privacy/{accountId}/tracking/stats': {},
  'GET /api/privacy/{accountId}/tracking': {},
  'POST /api/privacy/{accountId}/tracking/scan': body({ maxMessages: 5 }),
  'GET /api/privacy/{accountId}/pii/stats': {},
  'GET /api/privacy/{accountId}/pii': { query: { piiType: 'credit_card' } },
  'POST /api/privacy/{accountId}/pii/scan': {},
  'POST /api/privacy/encryption/setup': {
    ...body({ passphrase: PASSPHRASE }),
    ...refused(409, 'encryption-already-configured'),
  },
  'POST /api/privacy/encryption/verify': body({ passphrase: PASSPHRASE }),
  'GET /api/privacy/{accountId}/encryption/status': {},
  'POST /api/privacy/{accountId}/encryption/decrypt-mail': ({ encryptedMailId }) =>
    body({ mailId: encryptedMailId, passphrase: PASSPHRASE }),
  'POST /api/privacy/{accountId}/encryption/encrypt': body({ passphrase: PASSPHRASE }),
};

/** Operations the table says nothing about, and entries that are of none. */
export function gaps(operations: readonly Operation[]): string[] {
  const keys = new Set(operations.map(({ key }) => key));
  return [
    ...[...keys]
      .filter((key) => !(key in REQUESTS))
      .map(
        (key) => `${key}: add to REQUESTS in test/support/world/requests.ts what a valid request of it has`,
      ),
    ...Object.keys(REQUESTS)
      .filter((key) => !keys.has(key))
      .map((key) => `${key}: is in REQUESTS in test/support/world/requests.ts, but not in openapi.json`),
  ];
}

/** Routes for administrators. */
export const isForAdmins = ({ key, path }: Operation): boolean =>
  path.startsWith('/api/admin/') || key === 'POST /api/quota/cleanup';

/**
 * A valid request of an operation.
 * @throws naming what is missing for an operation or a path parameter nobody has thought of
 */
export function fill(operation: Operation, world: World): ValidRequest {
  const entry = REQUESTS[operation.key];
  if (!entry) throw new Error(gaps([operation])[0]);
  const missing = operation.pathParameters.filter((name) => !world.parameters[name]);
  if (missing.length > 0)
    throw new Error(
      `${operation.key}: a world (test/support/world/world.ts) needs a value for ${missing.join()}`,
    );
  const success = Math.min(...operation.statuses.filter((status) => status < 400));
  const choice = typeof entry === 'function' ? entry(world) : entry;
  return {
    operation,
    parameters: Object.fromEntries(operation.pathParameters.map((name) => [name, world.parameters[name]!])),
    query: choice.query ?? {},
    body: choice.body,
    file: choice.file,
    bytes: choice.bytes,
    headers: choice.headers ?? {},
    caller: !operation.needsToken ? 'nobody' : isForAdmins(operation) ? 'admin' : 'owner',
    answer: choice.answer ?? { status: success },
  };
}

const BOUNDARY = 'boundary-of-a-form';

/** A request as it goes over the wire. @param token a bearer token; null for none */
export function toWire(request: ValidRequest, token: string | null): WireRequest {
  const { operation, parameters, query, file } = request;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameters[name]!),
  );
  const search = new URLSearchParams(query).toString();
  const headers: Record<string, string> = { ...request.headers };
  if (token !== null) headers['authorization'] = `Bearer ${token}`;
  let content: Buffer | undefined;
  if (file !== undefined) {
    headers['content-type'] = `multipart/form-data; boundary=${BOUNDARY}`;
    content = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="mail.mbox"\r\n\r\n${file}\r\n--${BOUNDARY}--\r\n`,
    );
  } else if (request.bytes !== undefined) {
    headers['content-type'] = 'application/octet-stream';
    content = Buffer.from(request.bytes);
  } else if (request.body !== undefined) {
    headers['content-type'] = 'application/json';
    content = Buffer.from(JSON.stringify(request.body));
  }
  return {
    method: operation.method,
    target: search ? `${path}?${search}` : path,
    headers,
    ...(content ? { body: content } : {}),
  };
}
