import { archive, attachments } from './archive';
import { notifications, webhooks } from './events';
import { analytics, dashboard, quota } from './figures';
import { jobs } from './jobs';
import { imports, retention, storage } from './keeping';
import { mailbox } from './mailbox';
import type { Routes } from './notation';
import { admin, auth, service } from './people';
import { privacy } from './privacy';
import { newsletters, rules } from './rules';
import { savedSearches } from './saved-searches';

/** Every route of the contract and its decisions. */
export const ROUTES: Routes = {
  ...service,
  ...auth,
  ...mailbox,
  ...savedSearches,
  ...archive,
  ...attachments,
  ...dashboard,
  ...analytics,
  ...privacy,
  ...rules,
  ...newsletters,
  ...jobs,
  ...storage,
  ...retention,
  ...quota,
  ...imports,
  ...webhooks,
  ...notifications,
  ...admin,
};

/** Routes the service adds. What is not here and not in the contract is there by accident. */
export const ADDITIVE_ROUTES: readonly string[] = [
  'GET /api/archive/:accountId/mails/:mailId/safe-html',
  'POST /api/archive/:accountId/mails/:mailId/remote-images',
  'POST /api/mailbox/:accountId/selections',
  'POST /api/archive/:accountId/exports',
  'GET /api/archive/:accountId/exports/:exportId',
  'POST /api/archive/:accountId/delete',
  'GET /api/archiving/:accountId',
  'PUT /api/archiving/:accountId',
  'POST /api/archiving/:accountId/reconcile',
  'POST /api/import/:accountId/uploads',
  'GET /api/import/:accountId/uploads',
  'GET /api/import/:accountId/uploads/:uploadId',
  'PATCH /api/import/:accountId/uploads/:uploadId',
  'DELETE /api/import/:accountId/uploads/:uploadId',
  'POST /api/import/:accountId/uploads/:uploadId/complete',
  'POST /api/jobs/:jobId/resume',
  'POST /api/jobs/:jobId/retry-failed',
  'GET /api/jobs/:jobId/undo',
  'POST /api/jobs/:jobId/undo',
  'GET /api/mailbox/:accountId/messages/:messageId/safe-html',
  'POST /api/archive/:accountId/export-mailbox',
  'POST /api/restore/:accountId',
  'GET /api/restore/:accountId',
  'GET /api/restore/:accountId/:restoreId',
  'GET /api/restore/:accountId/:restoreId/items',
  'GET /api/restore/:accountId/:restoreId/report',
  'POST /api/restore/:accountId/:restoreId/start',
  'POST /api/offload/:accountId/plans',
  'GET /api/offload/:accountId/plans',
  'GET /api/offload/:accountId/plans/:planId',
  'GET /api/offload/:accountId/plans/:planId/messages',
  'DELETE /api/offload/:accountId/plans/:planId',
  'POST /api/offload/:accountId/plans/:planId/confirm',
  'GET /api/offload/:accountId/receipts',
  'GET /api/offload/:accountId/receipts/:planId',
  'GET /api/offload/:accountId/receipts/:planId/items',
  'GET /api/offload/:accountId/schedule',
  'PUT /api/offload/:accountId/schedule',
  'GET /api/offload/keys',
  'GET /api/events',
  'GET /api/notifications/events',
  'GET /api/coverage/:accountId',
  'GET /api/coverage/:accountId/messages',
  'GET /api/coverage/:accountId/messages/:messageId',
  'POST /api/coverage/:accountId/deletable',
  'GET /api/retention/:policyId/preview',
  'DELETE /api/admin/users/:userId',
  'GET /api/audit',
  'GET /api/admin/audit',
  'GET /api/auth/2fa',
  'POST /api/auth/2fa/setup',
  'POST /api/auth/2fa/enable',
  'POST /api/auth/2fa/disable',
  'POST /api/auth/2fa/recovery-codes',
  'GET /api/auth/api-keys',
  'POST /api/auth/api-keys',
  'DELETE /api/auth/api-keys/:keyId',
  'GET /api/auth/oidc/login',
  'GET /api/auth/oidc/callback',
  'POST /api/auth/oidc/link',
  'POST /api/auth/oidc/unlink',
];
