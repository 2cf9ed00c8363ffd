import type { Operation } from './operations';

/** What an API key needs for an operation; `session`: none will do. */
export type KeyDecision = 'session' | 'read' | 'write';

/** POST routes that change nothing, so that a key of scope `read` is enough. */
const READING_POSTS = new Set([
  'POST /api/mailbox/{accountId}/messages/batch',
  'POST /api/archive/{accountId}/export-zip',
  'POST /api/archive/{accountId}/export-mailbox',
  'POST /api/import/{accountId}/export-mbox',
  'POST /api/rules/{accountId}/preview',
  'POST /api/coverage/{accountId}/deletable',
  'POST /api/privacy/{accountId}/encryption/decrypt-mail',
]);

/** Routes of a user and not of one account: what keys may do there is decided one by one. */
const OF_USERS: Readonly<Record<string, KeyDecision>> = {
  'GET /api/archive/search': 'read',
  'GET /api/jobs': 'read',
  'GET /api/jobs/events': 'read',
  'GET /api/jobs/{jobId}': 'read',
  'GET /api/jobs/{jobId}/events': 'read',
  'DELETE /api/jobs/{jobId}': 'write',
  'POST /api/jobs/{jobId}/resume': 'write',
  'POST /api/jobs/{jobId}/retry-failed': 'write',
  'GET /api/jobs/{jobId}/undo': 'read',
  'POST /api/jobs/{jobId}/undo': 'write',
  'GET /api/notifications': 'read',
  'GET /api/notifications/events': 'read',
  'POST /api/notifications/read-all': 'write',
  'PATCH /api/notifications/{notificationId}/read': 'write',
  'DELETE /api/notifications/{notificationId}': 'write',
  'DELETE /api/notifications': 'write',
  'GET /api/notifications/preferences': 'read',
  'PUT /api/notifications/preferences': 'write',
  'GET /api/saved-searches': 'read',
  'POST /api/saved-searches': 'write',
  'PUT /api/saved-searches/reorder': 'write',
  'PUT /api/saved-searches/{searchId}': 'write',
  'DELETE /api/saved-searches/{searchId}': 'write',
  'GET /api/rules/templates': 'read',
  'GET /api/offload/keys': 'read',
  'PATCH /api/analytics/suggestions/{suggestionId}/dismiss': 'write',
  'GET /api/storage/config': 'read',
  'PUT /api/storage/config': 'write',
  // It writes an object, with the caller's credentials, wherever they say.
  'POST /api/storage/test-objstore': 'write',
  'GET /api/retention': 'read',
  'POST /api/retention': 'write',
  'POST /api/retention/run': 'write',
  'GET /api/retention/{policyId}/preview': 'read',
  'PUT /api/retention/{policyId}': 'write',
  'DELETE /api/retention/{policyId}': 'write',
  // Made for the page of a signed-in person.
  'GET /api/events': 'session',
  // Addresses and secrets are in every answer.
  'GET /api/webhooks': 'write',
  'POST /api/webhooks': 'write',
  'PUT /api/webhooks/{webhookId}': 'write',
  'PATCH /api/webhooks/{webhookId}/toggle': 'write',
  'DELETE /api/webhooks/{webhookId}': 'write',
  'POST /api/webhooks/{webhookId}/test': 'write',
  'GET /api/webhooks/{webhookId}/deliveries': 'write',
  // Once and for ever: a program that chose the passphrase would keep its user from their own mail.
  'POST /api/privacy/encryption/setup': 'session',
  'POST /api/privacy/encryption/verify': 'read',
  // Where and when somebody signs in is no business of their programs.
  'GET /api/audit': 'session',
  'POST /api/quota/cleanup': 'session',
};

/** Routes of users that keys bound to accounts may call: they are shown what is of these accounts. */
const CONFINED = /^(GET|POST|DELETE) \/api\/jobs\b/;

/** What was decided about keys on an operation that needs a token; undefined where nothing was. */
export function keyDecisionOf({ key, method, path }: Operation): KeyDecision | undefined {
  if (/^\/api\/(auth|admin)\b/.test(path)) return 'session';
  if (!path.includes('{accountId}')) return OF_USERS[key];
  return method === 'GET' || READING_POSTS.has(key) ? 'read' : 'write';
}

/** Whether a key that is bound to accounts gets anywhere with an operation. */
export const isOpenToBoundKeys = (operation: Operation): boolean =>
  operation.path.includes('{accountId}') || CONFINED.test(operation.key);

/** Decisions about operations there are not. */
export function staleDecisions(operations: readonly Operation[]): string[] {
  const keys = new Set(operations.map(({ key }) => key));
  return [...READING_POSTS, ...Object.keys(OF_USERS)].filter((key) => !keys.has(key));
}
