/* Made by `npm run sdk` from openapi.json: not to be edited. */
import type { Method } from '../operations/operation-types.js';

/** How each operation is called, by its operationId. */
export const OPERATIONS = {
  'health.live': {"group":"health","name":"live","method":"get","path":"/health/live","secured":false,"answer":"json"},
  'health.ready': {"group":"health","name":"ready","method":"get","path":"/health/ready","secured":false,"answer":"json"},
  'auth.register': {"group":"auth","name":"register","method":"post","path":"/api/auth/register","secured":false,"answer":"json"},
  'auth.login': {"group":"auth","name":"login","method":"post","path":"/api/auth/login","secured":false,"answer":"json"},
  'auth.refresh': {"group":"auth","name":"refresh","method":"post","path":"/api/auth/refresh","secured":false,"answer":"json"},
  'auth.logout': {"group":"auth","name":"logout","method":"post","path":"/api/auth/logout","secured":true,"answer":"nothing"},
  'auth.config': {"group":"auth","name":"config","method":"get","path":"/api/auth/config","secured":false,"answer":"json"},
  'auth.me': {"group":"auth","name":"me","method":"get","path":"/api/auth/me","secured":true,"answer":"json"},
  'mailboxAccounts.connect': {"group":"mailboxAccounts","name":"connect","method":"get","path":"/api/auth/mailbox/connect","secured":true,"answer":"json"},
  'mailboxAccounts.toggle': {"group":"mailboxAccounts","name":"toggle","method":"patch","path":"/api/auth/mailbox/{accountId}/toggle","secured":true,"answer":"json"},
  'mailboxAccounts.disconnect': {"group":"mailboxAccounts","name":"disconnect","method":"delete","path":"/api/auth/mailbox/{accountId}","secured":true,"answer":"nothing"},
  'mailbox.getProfile': {"group":"mailbox","name":"getProfile","method":"get","path":"/api/mailbox/{accountId}/profile","secured":true,"answer":"json"},
  'mailbox.listMessages': {"group":"mailbox","name":"listMessages","method":"get","path":"/api/mailbox/{accountId}/messages","secured":true,"answer":"json","paging":{"by":"token","items":"messages"}},
  'mailbox.getMessages': {"group":"mailbox","name":"getMessages","method":"post","path":"/api/mailbox/{accountId}/messages/batch","secured":true,"answer":"json"},
  'mailbox.getMessage': {"group":"mailbox","name":"getMessage","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}","secured":true,"answer":"json"},
  'mailbox.getFullMessage': {"group":"mailbox","name":"getFullMessage","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/full","secured":true,"answer":"json"},
  'mailbox.downloadAttachment': {"group":"mailbox","name":"downloadAttachment","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}","secured":true,"answer":"download"},
  'mailbox.startBulkOperation': {"group":"mailbox","name":"startBulkOperation","method":"post","path":"/api/mailbox/{accountId}/messages/bulk","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'mailbox.listLabels': {"group":"mailbox","name":"listLabels","method":"get","path":"/api/mailbox/{accountId}/labels","secured":true,"answer":"json"},
  'mailbox.createLabel': {"group":"mailbox","name":"createLabel","method":"post","path":"/api/mailbox/{accountId}/labels","secured":true,"answer":"json"},
  'mailbox.deleteLabel': {"group":"mailbox","name":"deleteLabel","method":"delete","path":"/api/mailbox/{accountId}/labels/{labelId}","secured":true,"answer":"nothing"},
  'jobs.list': {"group":"jobs","name":"list","method":"get","path":"/api/jobs","secured":true,"answer":"json","paging":{"by":"cursor","cursor":"before","field":"id"}},
  'jobs.streamAll': {"group":"jobs","name":"streamAll","method":"get","path":"/api/jobs/events","secured":true,"answer":"events"},
  'jobs.get': {"group":"jobs","name":"get","method":"get","path":"/api/jobs/{jobId}","secured":true,"answer":"json"},
  'jobs.cancel': {"group":"jobs","name":"cancel","method":"delete","path":"/api/jobs/{jobId}","secured":true,"answer":"nothing"},
  'jobs.streamOne': {"group":"jobs","name":"streamOne","method":"get","path":"/api/jobs/{jobId}/events","secured":true,"answer":"events"},
  'archive.archiveMessages': {"group":"archive","name":"archiveMessages","method":"post","path":"/api/archive/{accountId}/archive","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'archive.listMails': {"group":"archive","name":"listMails","method":"get","path":"/api/archive/{accountId}/mails","secured":true,"answer":"json","paging":{"by":"page","items":"mails"}},
  'archive.getMail': {"group":"archive","name":"getMail","method":"get","path":"/api/archive/{accountId}/mails/{mailId}","secured":true,"answer":"json"},
  'archive.downloadEml': {"group":"archive","name":"downloadEml","method":"get","path":"/api/archive/{accountId}/mails/{mailId}/eml","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase","range":"Range"}},
  'archive.downloadAttachment': {"group":"archive","name":"downloadAttachment","method":"get","path":"/api/archive/{accountId}/attachments/{attachmentId}/download","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase","range":"Range"}},
  'archive.listThreads': {"group":"archive","name":"listThreads","method":"get","path":"/api/archive/{accountId}/threads","secured":true,"answer":"json","paging":{"by":"page","items":"threads"}},
  'archive.getThread': {"group":"archive","name":"getThread","method":"get","path":"/api/archive/{accountId}/threads/{threadId}","secured":true,"answer":"json"},
  'archive.exportZip': {"group":"archive","name":"exportZip","method":"post","path":"/api/archive/{accountId}/export-zip","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'storage.getConfig': {"group":"storage","name":"getConfig","method":"get","path":"/api/storage/config","secured":true,"answer":"json"},
  'storage.updateConfig': {"group":"storage","name":"updateConfig","method":"put","path":"/api/storage/config","secured":true,"answer":"json"},
  'storage.testObjectStore': {"group":"storage","name":"testObjectStore","method":"post","path":"/api/storage/test-objstore","secured":true,"answer":"json"},
  'import.exportMbox': {"group":"import","name":"exportMbox","method":"post","path":"/api/import/{accountId}/export-mbox","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'import.importMbox': {"group":"import","name":"importMbox","method":"post","path":"/api/import/{accountId}/mbox","secured":true,"answer":"json","multipart":true,"headers":{"idempotencyKey":"Idempotency-Key"}},
  'import.importImap': {"group":"import","name":"importImap","method":"post","path":"/api/import/{accountId}/imap","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'retention.list': {"group":"retention","name":"list","method":"get","path":"/api/retention","secured":true,"answer":"json"},
  'retention.create': {"group":"retention","name":"create","method":"post","path":"/api/retention","secured":true,"answer":"json"},
  'retention.run': {"group":"retention","name":"run","method":"post","path":"/api/retention/run","secured":true,"answer":"json"},
  'retention.preview': {"group":"retention","name":"preview","method":"get","path":"/api/retention/{policyId}/preview","secured":true,"answer":"json"},
  'retention.update': {"group":"retention","name":"update","method":"put","path":"/api/retention/{policyId}","secured":true,"answer":"json"},
  'retention.delete': {"group":"retention","name":"delete","method":"delete","path":"/api/retention/{policyId}","secured":true,"answer":"nothing"},
  'admin.checkIntegrity': {"group":"admin","name":"checkIntegrity","method":"post","path":"/api/admin/integrity/check","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'savedSearches.list': {"group":"savedSearches","name":"list","method":"get","path":"/api/saved-searches","secured":true,"answer":"json"},
  'savedSearches.create': {"group":"savedSearches","name":"create","method":"post","path":"/api/saved-searches","secured":true,"answer":"json"},
  'savedSearches.reorder': {"group":"savedSearches","name":"reorder","method":"put","path":"/api/saved-searches/reorder","secured":true,"answer":"json"},
  'savedSearches.update': {"group":"savedSearches","name":"update","method":"put","path":"/api/saved-searches/{searchId}","secured":true,"answer":"json"},
  'savedSearches.delete': {"group":"savedSearches","name":"delete","method":"delete","path":"/api/saved-searches/{searchId}","secured":true,"answer":"json"},
  'rules.listTemplates': {"group":"rules","name":"listTemplates","method":"get","path":"/api/rules/templates","secured":true,"answer":"json"},
  'rules.list': {"group":"rules","name":"list","method":"get","path":"/api/rules/{accountId}","secured":true,"answer":"json"},
  'rules.create': {"group":"rules","name":"create","method":"post","path":"/api/rules/{accountId}","secured":true,"answer":"json"},
  'rules.preview': {"group":"rules","name":"preview","method":"post","path":"/api/rules/{accountId}/preview","secured":true,"answer":"json"},
  'rules.createFromTemplate': {"group":"rules","name":"createFromTemplate","method":"post","path":"/api/rules/{accountId}/from-template","secured":true,"answer":"json"},
  'rules.update': {"group":"rules","name":"update","method":"put","path":"/api/rules/{accountId}/{ruleId}","secured":true,"answer":"json"},
  'rules.delete': {"group":"rules","name":"delete","method":"delete","path":"/api/rules/{accountId}/{ruleId}","secured":true,"answer":"nothing"},
  'rules.toggle': {"group":"rules","name":"toggle","method":"patch","path":"/api/rules/{accountId}/{ruleId}/toggle","secured":true,"answer":"json"},
  'newsletters.scan': {"group":"newsletters","name":"scan","method":"post","path":"/api/unsubscribe/{accountId}/scan","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'newsletters.list': {"group":"newsletters","name":"list","method":"get","path":"/api/unsubscribe/{accountId}/newsletters","secured":true,"answer":"json"},
  'newsletters.listMessages': {"group":"newsletters","name":"listMessages","method":"get","path":"/api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages","secured":true,"answer":"json"},
  'newsletters.delete': {"group":"newsletters","name":"delete","method":"post","path":"/api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'dashboard.getMailboxStats': {"group":"dashboard","name":"getMailboxStats","method":"get","path":"/api/dashboard/{accountId}/stats","secured":true,"answer":"json"},
  'dashboard.getArchiveStats': {"group":"dashboard","name":"getArchiveStats","method":"get","path":"/api/dashboard/{accountId}/archive-stats","secured":true,"answer":"json"},
  'analytics.dismissSuggestion': {"group":"analytics","name":"dismissSuggestion","method":"patch","path":"/api/analytics/suggestions/{suggestionId}/dismiss","secured":true,"answer":"json"},
  'analytics.getHeatmap': {"group":"analytics","name":"getHeatmap","method":"get","path":"/api/analytics/{accountId}/heatmap","secured":true,"answer":"json"},
  'analytics.getSenderScores': {"group":"analytics","name":"getSenderScores","method":"get","path":"/api/analytics/{accountId}/sender-scores","secured":true,"answer":"json"},
  'analytics.getCleanupSuggestions': {"group":"analytics","name":"getCleanupSuggestions","method":"get","path":"/api/analytics/{accountId}/cleanup-suggestions","secured":true,"answer":"json"},
  'analytics.getInboxZero': {"group":"analytics","name":"getInboxZero","method":"get","path":"/api/analytics/{accountId}/inbox-zero","secured":true,"answer":"json"},
  'analytics.takeInboxSnapshot': {"group":"analytics","name":"takeInboxSnapshot","method":"post","path":"/api/analytics/{accountId}/inbox-zero/snapshot","secured":true,"answer":"json"},
  'attachments.listArchivedAttachments': {"group":"attachments","name":"listArchivedAttachments","method":"get","path":"/api/attachments/{accountId}/archived","secured":true,"answer":"json","paging":{"by":"page","items":"attachments"}},
  'attachments.listLiveAttachments': {"group":"attachments","name":"listLiveAttachments","method":"get","path":"/api/attachments/{accountId}/live","secured":true,"answer":"json"},
  'quota.getUsage': {"group":"quota","name":"getUsage","method":"get","path":"/api/quota/{accountId}","secured":true,"answer":"json"},
  'quota.cleanUp': {"group":"quota","name":"cleanUp","method":"post","path":"/api/quota/cleanup","secured":true,"answer":"json"},
  'notifications.getPreferences': {"group":"notifications","name":"getPreferences","method":"get","path":"/api/notifications/preferences","secured":true,"answer":"json"},
  'notifications.updatePreferences': {"group":"notifications","name":"updatePreferences","method":"put","path":"/api/notifications/preferences","secured":true,"answer":"json"},
  'notifications.streamToasts': {"group":"notifications","name":"streamToasts","method":"get","path":"/api/notifications/events","secured":true,"answer":"events","headers":{"lastEventId":"Last-Event-ID"}},
  'notifications.list': {"group":"notifications","name":"list","method":"get","path":"/api/notifications","secured":true,"answer":"json","paging":{"by":"page","items":"notifications"}},
  'notifications.deleteRead': {"group":"notifications","name":"deleteRead","method":"delete","path":"/api/notifications","secured":true,"answer":"json"},
  'notifications.markAllRead': {"group":"notifications","name":"markAllRead","method":"post","path":"/api/notifications/read-all","secured":true,"answer":"json"},
  'notifications.markRead': {"group":"notifications","name":"markRead","method":"patch","path":"/api/notifications/{notificationId}/read","secured":true,"answer":"json"},
  'notifications.delete': {"group":"notifications","name":"delete","method":"delete","path":"/api/notifications/{notificationId}","secured":true,"answer":"json"},
  'webhooks.list': {"group":"webhooks","name":"list","method":"get","path":"/api/webhooks","secured":true,"answer":"json"},
  'webhooks.create': {"group":"webhooks","name":"create","method":"post","path":"/api/webhooks","secured":true,"answer":"json"},
  'webhooks.update': {"group":"webhooks","name":"update","method":"put","path":"/api/webhooks/{webhookId}","secured":true,"answer":"json"},
  'webhooks.delete': {"group":"webhooks","name":"delete","method":"delete","path":"/api/webhooks/{webhookId}","secured":true,"answer":"nothing"},
  'webhooks.toggle': {"group":"webhooks","name":"toggle","method":"patch","path":"/api/webhooks/{webhookId}/toggle","secured":true,"answer":"json"},
  'webhooks.test': {"group":"webhooks","name":"test","method":"post","path":"/api/webhooks/{webhookId}/test","secured":true,"answer":"json"},
  'webhooks.listDeliveries': {"group":"webhooks","name":"listDeliveries","method":"get","path":"/api/webhooks/{webhookId}/deliveries","secured":true,"answer":"json","paging":{"by":"page","items":"deliveries"}},
  'admin.getStats': {"group":"admin","name":"getStats","method":"get","path":"/api/admin/stats","secured":true,"answer":"json"},
  'admin.listJobs': {"group":"admin","name":"listJobs","method":"get","path":"/api/admin/jobs","secured":true,"answer":"json","paging":{"by":"page","items":"jobs"}},
  'admin.listUsers': {"group":"admin","name":"listUsers","method":"get","path":"/api/admin/users","secured":true,"answer":"json","paging":{"by":"page","items":"users"}},
  'admin.getUser': {"group":"admin","name":"getUser","method":"get","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'admin.deleteUser': {"group":"admin","name":"deleteUser","method":"delete","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'admin.updateUser': {"group":"admin","name":"updateUser","method":"patch","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'audit.list': {"group":"audit","name":"list","method":"get","path":"/api/audit","secured":true,"answer":"json","paging":{"by":"page","items":"entries"}},
  'admin.listAudit': {"group":"admin","name":"listAudit","method":"get","path":"/api/admin/audit","secured":true,"answer":"json","paging":{"by":"page","items":"entries"}},
  'twoFactor.getStatus': {"group":"twoFactor","name":"getStatus","method":"get","path":"/api/auth/2fa","secured":true,"answer":"json"},
  'twoFactor.setUp': {"group":"twoFactor","name":"setUp","method":"post","path":"/api/auth/2fa/setup","secured":true,"answer":"json"},
  'twoFactor.enable': {"group":"twoFactor","name":"enable","method":"post","path":"/api/auth/2fa/enable","secured":true,"answer":"json"},
  'twoFactor.disable': {"group":"twoFactor","name":"disable","method":"post","path":"/api/auth/2fa/disable","secured":true,"answer":"json"},
  'twoFactor.renewRecoveryCodes': {"group":"twoFactor","name":"renewRecoveryCodes","method":"post","path":"/api/auth/2fa/recovery-codes","secured":true,"answer":"json"},
  'apiKeys.list': {"group":"apiKeys","name":"list","method":"get","path":"/api/auth/api-keys","secured":true,"answer":"json"},
  'apiKeys.create': {"group":"apiKeys","name":"create","method":"post","path":"/api/auth/api-keys","secured":true,"answer":"json"},
  'apiKeys.delete': {"group":"apiKeys","name":"delete","method":"delete","path":"/api/auth/api-keys/{keyId}","secured":true,"answer":"nothing"},
  'singleSignOn.link': {"group":"singleSignOn","name":"link","method":"post","path":"/api/auth/oidc/link","secured":true,"answer":"json"},
  'singleSignOn.unlink': {"group":"singleSignOn","name":"unlink","method":"post","path":"/api/auth/oidc/unlink","secured":true,"answer":"json"},
  'rules.run': {"group":"rules","name":"run","method":"post","path":"/api/rules/{accountId}/{ruleId}/run","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'privacy.getTrackingStats': {"group":"privacy","name":"getTrackingStats","method":"get","path":"/api/privacy/{accountId}/tracking/stats","secured":true,"answer":"json"},
  'privacy.listTracking': {"group":"privacy","name":"listTracking","method":"get","path":"/api/privacy/{accountId}/tracking","secured":true,"answer":"json","paging":{"by":"page","items":"items"}},
  'privacy.startTrackingScan': {"group":"privacy","name":"startTrackingScan","method":"post","path":"/api/privacy/{accountId}/tracking/scan","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'privacy.getPiiStats': {"group":"privacy","name":"getPiiStats","method":"get","path":"/api/privacy/{accountId}/pii/stats","secured":true,"answer":"json"},
  'privacy.listPiiFindings': {"group":"privacy","name":"listPiiFindings","method":"get","path":"/api/privacy/{accountId}/pii","secured":true,"answer":"json","paging":{"by":"page","items":"items"}},
  'privacy.startPiiScan': {"group":"privacy","name":"startPiiScan","method":"post","path":"/api/privacy/{accountId}/pii/scan","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'privacy.setUpEncryption': {"group":"privacy","name":"setUpEncryption","method":"post","path":"/api/privacy/encryption/setup","secured":true,"answer":"json"},
  'privacy.verifyPassphrase': {"group":"privacy","name":"verifyPassphrase","method":"post","path":"/api/privacy/encryption/verify","secured":true,"answer":"json"},
  'privacy.getEncryptionStatus': {"group":"privacy","name":"getEncryptionStatus","method":"get","path":"/api/privacy/{accountId}/encryption/status","secured":true,"answer":"json"},
  'privacy.decryptMail': {"group":"privacy","name":"decryptMail","method":"post","path":"/api/privacy/{accountId}/encryption/decrypt-mail","secured":true,"answer":"json"},
  'privacy.encryptArchive': {"group":"privacy","name":"encryptArchive","method":"post","path":"/api/privacy/{accountId}/encryption/encrypt","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'privacy.readSafeHtml': {"group":"privacy","name":"readSafeHtml","method":"get","path":"/api/archive/{accountId}/mails/{mailId}/safe-html","secured":true,"answer":"json","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
} as const;

/** One method for each operation, grouped by resource. */
export interface Api {
  readonly health: {
    /**
     * The process answers
     *
     * `GET /health/live`
     */
    readonly live: Method<'health.live'>;
    /**
     * Database, Redis and storage answer
     *
     * `GET /health/ready`
     */
    readonly ready: Method<'health.ready'>;
  };
  readonly auth: {
    /**
     * Registers a user and signs them in
     *
     * `POST /api/auth/register`
     */
    readonly register: Method<'auth.register'>;
    /**
     * Opens a session
     *
     * `POST /api/auth/login`
     */
    readonly login: Method<'auth.login'>;
    /**
     * Exchanges a refresh token for a new pair of tokens
     *
     * `POST /api/auth/refresh`
     */
    readonly refresh: Method<'auth.refresh'>;
    /**
     * Ends the session
     *
     * `POST /api/auth/logout`
     */
    readonly logout: Method<'auth.logout'>;
    /**
     * What may be done before signing in
     *
     * `GET /api/auth/config`
     */
    readonly config: Method<'auth.config'>;
    /**
     * The caller, their mailbox accounts and their storage
     *
     * `GET /api/auth/me`
     */
    readonly me: Method<'auth.me'>;
  };
  readonly mailboxAccounts: {
    /**
     * Begins to connect a mailbox
     *
     * `GET /api/auth/mailbox/connect`
     */
    readonly connect: Method<'mailboxAccounts.connect'>;
    /**
     * Switches an account off or on again
     *
     * `PATCH /api/auth/mailbox/{accountId}/toggle`
     */
    readonly toggle: Method<'mailboxAccounts.toggle'>;
    /**
     * Disconnects a mailbox
     *
     * `DELETE /api/auth/mailbox/{accountId}`
     */
    readonly disconnect: Method<'mailboxAccounts.disconnect'>;
  };
  readonly mailbox: {
    /**
     * Profile of the mailbox
     *
     * `GET /api/mailbox/{accountId}/profile`
     */
    readonly getProfile: Method<'mailbox.getProfile'>;
    /**
     * Ids of messages that match a query
     *
     * `GET /api/mailbox/{accountId}/messages`
     */
    readonly listMessages: Method<'mailbox.listMessages'>;
    /**
     * Metadata of up to 100 messages
     *
     * `POST /api/mailbox/{accountId}/messages/batch`
     */
    readonly getMessages: Method<'mailbox.getMessages'>;
    /**
     * Metadata of one message
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}`
     */
    readonly getMessage: Method<'mailbox.getMessage'>;
    /**
     * One message in full, in the provider’s own format
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/full`
     */
    readonly getFullMessage: Method<'mailbox.getFullMessage'>;
    /**
     * Download of one attachment of a live message
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}`
     */
    readonly downloadAttachment: Method<'mailbox.downloadAttachment'>;
    /**
     * Change many messages in the background
     *
     * `POST /api/mailbox/{accountId}/messages/bulk`
     */
    readonly startBulkOperation: Method<'mailbox.startBulkOperation'>;
    /**
     * Labels of the mailbox
     *
     * `GET /api/mailbox/{accountId}/labels`
     */
    readonly listLabels: Method<'mailbox.listLabels'>;
    /**
     * Create a label
     *
     * `POST /api/mailbox/{accountId}/labels`
     */
    readonly createLabel: Method<'mailbox.createLabel'>;
    /**
     * Delete a label and take it off its messages
     *
     * `DELETE /api/mailbox/{accountId}/labels/{labelId}`
     */
    readonly deleteLabel: Method<'mailbox.deleteLabel'>;
  };
  readonly jobs: {
    /**
     * The caller's jobs, newest first
     *
     * `GET /api/jobs`
     */
    readonly list: Method<'jobs.list'>;
    /**
     * Live updates of all the caller's jobs as server-sent events
     *
     * `GET /api/jobs/events`
     */
    readonly streamAll: Method<'jobs.streamAll'>;
    /**
     * One job with its whole payload and its live state
     *
     * `GET /api/jobs/{jobId}`
     */
    readonly get: Method<'jobs.get'>;
    /**
     * Cancels a job
     *
     * `DELETE /api/jobs/{jobId}`
     */
    readonly cancel: Method<'jobs.cancel'>;
    /**
     * Live updates of one job as server-sent events
     *
     * `GET /api/jobs/{jobId}/events`
     */
    readonly streamOne: Method<'jobs.streamOne'>;
  };
  readonly archive: {
    /**
     * Archive messages as EML
     *
     * `POST /api/archive/{accountId}/archive`
     */
    readonly archiveMessages: Method<'archive.archiveMessages'>;
    /**
     * List and search archived mails, newest first
     *
     * `GET /api/archive/{accountId}/mails`
     */
    readonly listMails: Method<'archive.listMails'>;
    /**
     * Read an archived mail
     *
     * `GET /api/archive/{accountId}/mails/{mailId}`
     */
    readonly getMail: Method<'archive.getMail'>;
    /**
     * Download an archived mail as EML
     *
     * `GET /api/archive/{accountId}/mails/{mailId}/eml`
     */
    readonly downloadEml: Method<'archive.downloadEml'>;
    /**
     * Download an attachment of an archived mail
     *
     * `GET /api/archive/{accountId}/attachments/{attachmentId}/download`
     */
    readonly downloadAttachment: Method<'archive.downloadAttachment'>;
    /**
     * List and search archived threads, latest first
     *
     * `GET /api/archive/{accountId}/threads`
     */
    readonly listThreads: Method<'archive.listThreads'>;
    /**
     * Read a thread
     *
     * `GET /api/archive/{accountId}/threads/{threadId}`
     */
    readonly getThread: Method<'archive.getThread'>;
    /**
     * Export archived mails as ZIP
     *
     * `POST /api/archive/{accountId}/export-zip`
     */
    readonly exportZip: Method<'archive.exportZip'>;
  };
  readonly storage: {
    /**
     * Where new mail of the caller is stored
     *
     * `GET /api/storage/config`
     */
    readonly getConfig: Method<'storage.getConfig'>;
    /**
     * Choose where new mail is stored
     *
     * `PUT /api/storage/config`
     */
    readonly updateConfig: Method<'storage.updateConfig'>;
    /**
     * Try whether an object store can be used: writes, reads and deletes an object
     *
     * `POST /api/storage/test-objstore`
     */
    readonly testObjectStore: Method<'storage.testObjectStore'>;
  };
  readonly import: {
    /**
     * Export archived mails as mbox
     *
     * `POST /api/import/{accountId}/export-mbox`
     */
    readonly exportMbox: Method<'import.exportMbox'>;
    /**
     * Import an mbox file into the archive
     *
     * `POST /api/import/{accountId}/mbox`
     */
    readonly importMbox: Method<'import.importMbox'>;
    /**
     * Import a folder from an IMAP server
     *
     * `POST /api/import/{accountId}/imap`
     */
    readonly importImap: Method<'import.importImap'>;
  };
  readonly retention: {
    /**
     * The retention policies of the caller, newest first
     *
     * `GET /api/retention`
     */
    readonly list: Method<'retention.list'>;
    /**
     * Create a retention policy
     *
     * `POST /api/retention`
     */
    readonly create: Method<'retention.create'>;
    /**
     * Run all active retention policies of the caller now
     *
     * `POST /api/retention/run`
     */
    readonly run: Method<'retention.run'>;
    /**
     * What a retention policy would remove right now
     *
     * `GET /api/retention/{policyId}/preview`
     */
    readonly preview: Method<'retention.preview'>;
    /**
     * Change a retention policy
     *
     * `PUT /api/retention/{policyId}`
     */
    readonly update: Method<'retention.update'>;
    /**
     * Delete a retention policy
     *
     * `DELETE /api/retention/{policyId}`
     */
    readonly delete: Method<'retention.delete'>;
  };
  readonly admin: {
    /**
     * Check all archives now, in the background
     *
     * `POST /api/admin/integrity/check`
     */
    readonly checkIntegrity: Method<'admin.checkIntegrity'>;
    /**
     * Figures of the whole installation
     *
     * `GET /api/admin/stats`
     */
    readonly getStats: Method<'admin.getStats'>;
    /**
     * Everybody's jobs, newest first
     *
     * `GET /api/admin/jobs`
     */
    readonly listJobs: Method<'admin.listJobs'>;
    /**
     * The users, newest first
     *
     * `GET /api/admin/users`
     */
    readonly listUsers: Method<'admin.listUsers'>;
    /**
     * A user, their mailboxes and their last 20 jobs
     *
     * `GET /api/admin/users/{userId}`
     */
    readonly getUser: Method<'admin.getUser'>;
    /**
     * Delete a user with everything of theirs
     *
     * `DELETE /api/admin/users/{userId}`
     */
    readonly deleteUser: Method<'admin.deleteUser'>;
    /**
     * Change a user's role, activation or limits
     *
     * `PATCH /api/admin/users/{userId}`
     */
    readonly updateUser: Method<'admin.updateUser'>;
    /**
     * The audit log of the installation, newest first
     *
     * `GET /api/admin/audit`
     */
    readonly listAudit: Method<'admin.listAudit'>;
  };
  readonly savedSearches: {
    /**
     * The saved searches of the caller, in their order
     *
     * `GET /api/saved-searches`
     */
    readonly list: Method<'savedSearches.list'>;
    /**
     * Save a search
     *
     * `POST /api/saved-searches`
     */
    readonly create: Method<'savedSearches.create'>;
    /**
     * Put the saved searches into a new order
     *
     * `PUT /api/saved-searches/reorder`
     */
    readonly reorder: Method<'savedSearches.reorder'>;
    /**
     * Change a saved search
     *
     * `PUT /api/saved-searches/{searchId}`
     */
    readonly update: Method<'savedSearches.update'>;
    /**
     * Delete a saved search
     *
     * `DELETE /api/saved-searches/{searchId}`
     */
    readonly delete: Method<'savedSearches.delete'>;
  };
  readonly rules: {
    /**
     * Templates of rules
     *
     * `GET /api/rules/templates`
     */
    readonly listTemplates: Method<'rules.listTemplates'>;
    /**
     * Rules of the mailbox, newest first
     *
     * `GET /api/rules/{accountId}`
     */
    readonly list: Method<'rules.list'>;
    /**
     * Create a rule
     *
     * `POST /api/rules/{accountId}`
     */
    readonly create: Method<'rules.create'>;
    /**
     * What conditions would find
     *
     * `POST /api/rules/{accountId}/preview`
     */
    readonly preview: Method<'rules.preview'>;
    /**
     * Create a rule from a template
     *
     * `POST /api/rules/{accountId}/from-template`
     */
    readonly createFromTemplate: Method<'rules.createFromTemplate'>;
    /**
     * Change a rule
     *
     * `PUT /api/rules/{accountId}/{ruleId}`
     */
    readonly update: Method<'rules.update'>;
    /**
     * Delete a rule
     *
     * `DELETE /api/rules/{accountId}/{ruleId}`
     */
    readonly delete: Method<'rules.delete'>;
    /**
     * Switch a rule on or off
     *
     * `PATCH /api/rules/{accountId}/{ruleId}/toggle`
     */
    readonly toggle: Method<'rules.toggle'>;
    /**
     * Run a rule now, in the background
     *
     * `POST /api/rules/{accountId}/{ruleId}/run`
     */
    readonly run: Method<'rules.run'>;
  };
  readonly newsletters: {
    /**
     * Look through the whole mailbox for newsletters
     *
     * `POST /api/unsubscribe/{accountId}/scan`
     */
    readonly scan: Method<'newsletters.scan'>;
    /**
     * Senders of newsletters, those with most messages first
     *
     * `GET /api/unsubscribe/{accountId}/newsletters`
     */
    readonly list: Method<'newsletters.list'>;
    /**
     * Newsletters of one sender
     *
     * `GET /api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages`
     */
    readonly listMessages: Method<'newsletters.listMessages'>;
    /**
     * Trash or delete the newsletters of one sender
     *
     * `POST /api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete`
     */
    readonly delete: Method<'newsletters.delete'>;
  };
  readonly dashboard: {
    /**
     * Figures about the live mailbox
     *
     * `GET /api/dashboard/{accountId}/stats`
     */
    readonly getMailboxStats: Method<'dashboard.getMailboxStats'>;
    /**
     * Figures about the archive
     *
     * `GET /api/dashboard/{accountId}/archive-stats`
     */
    readonly getArchiveStats: Method<'dashboard.getArchiveStats'>;
  };
  readonly analytics: {
    /**
     * Dismiss a cleanup suggestion
     *
     * `PATCH /api/analytics/suggestions/{suggestionId}/dismiss`
     */
    readonly dismissSuggestion: Method<'analytics.dismissSuggestion'>;
    /**
     * When mail arrives
     *
     * `GET /api/analytics/{accountId}/heatmap`
     */
    readonly getHeatmap: Method<'analytics.getHeatmap'>;
    /**
     * How much each sender clutters the mailbox
     *
     * `GET /api/analytics/{accountId}/sender-scores`
     */
    readonly getSenderScores: Method<'analytics.getSenderScores'>;
    /**
     * What is worth cleaning up
     *
     * `GET /api/analytics/{accountId}/cleanup-suggestions`
     */
    readonly getCleanupSuggestions: Method<'analytics.getCleanupSuggestions'>;
    /**
     * How empty the inbox is and was
     *
     * `GET /api/analytics/{accountId}/inbox-zero`
     */
    readonly getInboxZero: Method<'analytics.getInboxZero'>;
    /**
     * Record now how empty the inbox is
     *
     * `POST /api/analytics/{accountId}/inbox-zero/snapshot`
     */
    readonly takeInboxSnapshot: Method<'analytics.takeInboxSnapshot'>;
  };
  readonly attachments: {
    /**
     * Attachments of archived mail
     *
     * `GET /api/attachments/{accountId}/archived`
     */
    readonly listArchivedAttachments: Method<'attachments.listArchivedAttachments'>;
    /**
     * Large attachments in the live mailbox
     *
     * `GET /api/attachments/{accountId}/live`
     */
    readonly listLiveAttachments: Method<'attachments.listLiveAttachments'>;
  };
  readonly quota: {
    /**
     * What the account may spend at the provider, and what it has spent
     *
     * `GET /api/quota/{accountId}`
     */
    readonly getUsage: Method<'quota.getUsage'>;
    /**
     * Delete the usage records of all accounts that are older than 30 days
     *
     * `POST /api/quota/cleanup`
     */
    readonly cleanUp: Method<'quota.cleanUp'>;
  };
  readonly notifications: {
    /**
     * What the caller wants to be told
     *
     * `GET /api/notifications/preferences`
     */
    readonly getPreferences: Method<'notifications.getPreferences'>;
    /**
     * Change what the caller wants to be told
     *
     * `PUT /api/notifications/preferences`
     */
    readonly updatePreferences: Method<'notifications.updatePreferences'>;
    /**
     * What happens to the caller, live
     *
     * `GET /api/notifications/events`
     */
    readonly streamToasts: Method<'notifications.streamToasts'>;
    /**
     * Notifications of the caller, newest first
     *
     * `GET /api/notifications`
     */
    readonly list: Method<'notifications.list'>;
    /**
     * Delete the notifications that are read
     *
     * `DELETE /api/notifications`
     */
    readonly deleteRead: Method<'notifications.deleteRead'>;
    /**
     * Mark all notifications as read
     *
     * `POST /api/notifications/read-all`
     */
    readonly markAllRead: Method<'notifications.markAllRead'>;
    /**
     * Mark a notification as read
     *
     * `PATCH /api/notifications/{notificationId}/read`
     */
    readonly markRead: Method<'notifications.markRead'>;
    /**
     * Delete a notification
     *
     * `DELETE /api/notifications/{notificationId}`
     */
    readonly delete: Method<'notifications.delete'>;
  };
  readonly webhooks: {
    /**
     * Webhooks of the caller, newest first
     *
     * `GET /api/webhooks`
     */
    readonly list: Method<'webhooks.list'>;
    /**
     * Add a webhook
     *
     * `POST /api/webhooks`
     */
    readonly create: Method<'webhooks.create'>;
    /**
     * Change a webhook
     *
     * `PUT /api/webhooks/{webhookId}`
     */
    readonly update: Method<'webhooks.update'>;
    /**
     * Delete a webhook and its deliveries
     *
     * `DELETE /api/webhooks/{webhookId}`
     */
    readonly delete: Method<'webhooks.delete'>;
    /**
     * Switch a webhook on or off
     *
     * `PATCH /api/webhooks/{webhookId}/toggle`
     */
    readonly toggle: Method<'webhooks.toggle'>;
    /**
     * Send a sample job.completed event to a webhook, once
     *
     * `POST /api/webhooks/{webhookId}/test`
     */
    readonly test: Method<'webhooks.test'>;
    /**
     * What a webhook was told, with every attempt, newest first
     *
     * `GET /api/webhooks/{webhookId}/deliveries`
     */
    readonly listDeliveries: Method<'webhooks.listDeliveries'>;
  };
  readonly audit: {
    /**
     * The audit log of the caller, newest first
     *
     * `GET /api/audit`
     */
    readonly list: Method<'audit.list'>;
  };
  readonly twoFactor: {
    /**
     * Whether signing in asks for a one-time code
     *
     * `GET /api/auth/2fa`
     */
    readonly getStatus: Method<'twoFactor.getStatus'>;
    /**
     * Makes a secret for an authenticator app
     *
     * `POST /api/auth/2fa/setup`
     */
    readonly setUp: Method<'twoFactor.setUp'>;
    /**
     * Switches one-time codes on
     *
     * `POST /api/auth/2fa/enable`
     */
    readonly enable: Method<'twoFactor.enable'>;
    /**
     * Switches one-time codes off
     *
     * `POST /api/auth/2fa/disable`
     */
    readonly disable: Method<'twoFactor.disable'>;
    /**
     * Makes new recovery codes
     *
     * `POST /api/auth/2fa/recovery-codes`
     */
    readonly renewRecoveryCodes: Method<'twoFactor.renewRecoveryCodes'>;
  };
  readonly apiKeys: {
    /**
     * The API keys of the caller, newest first, without the keys themselves
     *
     * `GET /api/auth/api-keys`
     */
    readonly list: Method<'apiKeys.list'>;
    /**
     * Make an API key
     *
     * `POST /api/auth/api-keys`
     */
    readonly create: Method<'apiKeys.create'>;
    /**
     * Delete an API key
     *
     * `DELETE /api/auth/api-keys/{keyId}`
     */
    readonly delete: Method<'apiKeys.delete'>;
  };
  readonly singleSignOn: {
    /**
     * Begins to link the caller to the OpenID provider
     *
     * `POST /api/auth/oidc/link`
     */
    readonly link: Method<'singleSignOn.link'>;
    /**
     * Unlinks the caller from the OpenID provider
     *
     * `POST /api/auth/oidc/unlink`
     */
    readonly unlink: Method<'singleSignOn.unlink'>;
  };
  readonly privacy: {
    /**
     * How much of the mailbox is tracked, and by whom
     *
     * `GET /api/privacy/{accountId}/tracking/stats`
     */
    readonly getTrackingStats: Method<'privacy.getTrackingStats'>;
    /**
     * Messages with trackers, newest first
     *
     * `GET /api/privacy/{accountId}/tracking`
     */
    readonly listTracking: Method<'privacy.listTracking'>;
    /**
     * Scan the newest messages for trackers
     *
     * `POST /api/privacy/{accountId}/tracking/scan`
     */
    readonly startTrackingScan: Method<'privacy.startTrackingScan'>;
    /**
     * How much personal data the archive holds
     *
     * `GET /api/privacy/{accountId}/pii/stats`
     */
    readonly getPiiStats: Method<'privacy.getPiiStats'>;
    /**
     * Mails with personal data, newest first
     *
     * `GET /api/privacy/{accountId}/pii`
     */
    readonly listPiiFindings: Method<'privacy.listPiiFindings'>;
    /**
     * Look through the archive for personal data
     *
     * `POST /api/privacy/{accountId}/pii/scan`
     */
    readonly startPiiScan: Method<'privacy.startPiiScan'>;
    /**
     * Set up the passphrase of the caller
     *
     * `POST /api/privacy/encryption/setup`
     */
    readonly setUpEncryption: Method<'privacy.setUpEncryption'>;
    /**
     * Check a passphrase
     *
     * `POST /api/privacy/encryption/verify`
     */
    readonly verifyPassphrase: Method<'privacy.verifyPassphrase'>;
    /**
     * How much of an archive is encrypted
     *
     * `GET /api/privacy/{accountId}/encryption/status`
     */
    readonly getEncryptionStatus: Method<'privacy.getEncryptionStatus'>;
    /**
     * Read an encrypted mail
     *
     * `POST /api/privacy/{accountId}/encryption/decrypt-mail`
     */
    readonly decryptMail: Method<'privacy.decryptMail'>;
    /**
     * Encrypt the archive of an account
     *
     * `POST /api/privacy/{accountId}/encryption/encrypt`
     */
    readonly encryptArchive: Method<'privacy.encryptArchive'>;
    /**
     * Read an archived mail as safe HTML
     *
     * `GET /api/archive/{accountId}/mails/{mailId}/safe-html`
     */
    readonly readSafeHtml: Method<'privacy.readSafeHtml'>;
  };
}
