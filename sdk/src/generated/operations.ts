/* Made by `npm run sdk` from openapi.json: not to be edited. */
import type { Method } from '../operations/operation-types.js';

/** How each operation is called, by its operationId. */
export const OPERATIONS = {
  'health.live': {"group":"operations","name":"live","method":"get","path":"/health/live","secured":false,"answer":"json"},
  'health.ready': {"group":"operations","name":"ready","method":"get","path":"/health/ready","secured":false,"answer":"json"},
  'auth.register': {"group":"auth","name":"register","method":"post","path":"/api/auth/register","secured":false,"answer":"json"},
  'auth.login': {"group":"auth","name":"login","method":"post","path":"/api/auth/login","secured":false,"answer":"json"},
  'auth.refresh': {"group":"auth","name":"refresh","method":"post","path":"/api/auth/refresh","secured":false,"answer":"json"},
  'auth.logout': {"group":"auth","name":"logout","method":"post","path":"/api/auth/logout","secured":true,"answer":"nothing"},
  'auth.config': {"group":"auth","name":"config","method":"get","path":"/api/auth/config","secured":false,"answer":"json"},
  'auth.me': {"group":"auth","name":"me","method":"get","path":"/api/auth/me","secured":true,"answer":"json"},
  'mailboxConnect.connect': {"group":"mailboxAccounts","name":"connect","method":"get","path":"/api/auth/mailbox/connect","secured":true,"answer":"json"},
  'mailboxAccounts.toggle': {"group":"mailboxAccounts","name":"toggle","method":"patch","path":"/api/auth/mailbox/{accountId}/toggle","secured":true,"answer":"json"},
  'mailboxAccounts.disconnect': {"group":"mailboxAccounts","name":"disconnect","method":"delete","path":"/api/auth/mailbox/{accountId}","secured":true,"answer":"nothing"},
  'messages.getProfile': {"group":"mailbox","name":"getProfile","method":"get","path":"/api/mailbox/{accountId}/profile","secured":true,"answer":"json"},
  'messages.listMessages': {"group":"mailbox","name":"listMessages","method":"get","path":"/api/mailbox/{accountId}/messages","secured":true,"answer":"json","paging":{"by":"token","items":"messages"}},
  'messages.getMessages': {"group":"mailbox","name":"getMessages","method":"post","path":"/api/mailbox/{accountId}/messages/batch","secured":true,"answer":"json"},
  'messages.getMessage': {"group":"mailbox","name":"getMessage","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}","secured":true,"answer":"json"},
  'messages.getFullMessage': {"group":"mailbox","name":"getFullMessage","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/full","secured":true,"answer":"json"},
  'messages.downloadAttachment': {"group":"mailbox","name":"downloadAttachment","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}","secured":true,"answer":"download"},
  'bulk.startBulkOperation': {"group":"mailbox","name":"startBulkOperation","method":"post","path":"/api/mailbox/{accountId}/messages/bulk","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'labels.listLabels': {"group":"mailbox","name":"listLabels","method":"get","path":"/api/mailbox/{accountId}/labels","secured":true,"answer":"json"},
  'labels.createLabel': {"group":"mailbox","name":"createLabel","method":"post","path":"/api/mailbox/{accountId}/labels","secured":true,"answer":"json"},
  'labels.deleteLabel': {"group":"mailbox","name":"deleteLabel","method":"delete","path":"/api/mailbox/{accountId}/labels/{labelId}","secured":true,"answer":"nothing"},
  'jobs.list': {"group":"jobs","name":"list","method":"get","path":"/api/jobs","secured":true,"answer":"json","paging":{"by":"cursor","cursor":"before","field":"id"}},
  'jobs.streamAll': {"group":"jobs","name":"streamAll","method":"get","path":"/api/jobs/events","secured":true,"answer":"events"},
  'jobs.get': {"group":"jobs","name":"get","method":"get","path":"/api/jobs/{jobId}","secured":true,"answer":"json"},
  'jobs.cancel': {"group":"jobs","name":"cancel","method":"delete","path":"/api/jobs/{jobId}","secured":true,"answer":"nothing"},
  'jobs.streamOne': {"group":"jobs","name":"streamOne","method":"get","path":"/api/jobs/{jobId}/events","secured":true,"answer":"events"},
  'archive.archive': {"group":"archive","name":"archive","method":"post","path":"/api/archive/{accountId}/archive","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'archive.listMails': {"group":"archive","name":"listMails","method":"get","path":"/api/archive/{accountId}/mails","secured":true,"answer":"json","paging":{"by":"page","items":"mails"}},
  'archive.getMail': {"group":"archive","name":"getMail","method":"get","path":"/api/archive/{accountId}/mails/{mailId}","secured":true,"answer":"json"},
  'archive.downloadEml': {"group":"archive","name":"downloadEml","method":"get","path":"/api/archive/{accountId}/mails/{mailId}/eml","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase","range":"Range"}},
  'archive.downloadAttachment': {"group":"archive","name":"downloadAttachment","method":"get","path":"/api/archive/{accountId}/attachments/{attachmentId}/download","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase","range":"Range"}},
  'threads.listThreads': {"group":"archive","name":"listThreads","method":"get","path":"/api/archive/{accountId}/threads","secured":true,"answer":"json","paging":{"by":"page","items":"threads"}},
  'threads.getThread': {"group":"archive","name":"getThread","method":"get","path":"/api/archive/{accountId}/threads/{threadId}","secured":true,"answer":"json"},
  'export.exportZip': {"group":"archive","name":"exportZip","method":"post","path":"/api/archive/{accountId}/export-zip","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'storage.config': {"group":"storage","name":"config","method":"get","path":"/api/storage/config","secured":true,"answer":"json"},
  'storage.choose': {"group":"storage","name":"choose","method":"put","path":"/api/storage/config","secured":true,"answer":"json"},
  'storage.test': {"group":"storage","name":"test","method":"post","path":"/api/storage/test-objstore","secured":true,"answer":"json"},
  'imports.exportMbox': {"group":"import","name":"exportMbox","method":"post","path":"/api/import/{accountId}/export-mbox","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'importMbox.importMbox': {"group":"import","name":"importMbox","method":"post","path":"/api/import/{accountId}/mbox","secured":true,"answer":"json","multipart":true,"headers":{"idempotencyKey":"Idempotency-Key"}},
  'imapImports.import': {"group":"import","name":"import","method":"post","path":"/api/import/{accountId}/imap","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'retention.listRetentionPolicies': {"group":"retention","name":"listRetentionPolicies","method":"get","path":"/api/retention","secured":true,"answer":"json"},
  'retention.createRetentionPolicy': {"group":"retention","name":"createRetentionPolicy","method":"post","path":"/api/retention","secured":true,"answer":"json"},
  'retention.runRetentionPolicies': {"group":"retention","name":"runRetentionPolicies","method":"post","path":"/api/retention/run","secured":true,"answer":"json"},
  'retention.previewRetentionPolicy': {"group":"retention","name":"previewRetentionPolicy","method":"get","path":"/api/retention/{policyId}/preview","secured":true,"answer":"json"},
  'retention.updateRetentionPolicy': {"group":"retention","name":"updateRetentionPolicy","method":"put","path":"/api/retention/{policyId}","secured":true,"answer":"json"},
  'retention.deleteRetentionPolicy': {"group":"retention","name":"deleteRetentionPolicy","method":"delete","path":"/api/retention/{policyId}","secured":true,"answer":"nothing"},
  'integrity.check': {"group":"admin","name":"check","method":"post","path":"/api/admin/integrity/check","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'savedSearches.list': {"group":"savedSearches","name":"list","method":"get","path":"/api/saved-searches","secured":true,"answer":"json"},
  'savedSearches.create': {"group":"savedSearches","name":"create","method":"post","path":"/api/saved-searches","secured":true,"answer":"json"},
  'savedSearches.reorder': {"group":"savedSearches","name":"reorder","method":"put","path":"/api/saved-searches/reorder","secured":true,"answer":"json"},
  'savedSearches.update': {"group":"savedSearches","name":"update","method":"put","path":"/api/saved-searches/{searchId}","secured":true,"answer":"json"},
  'savedSearches.delete': {"group":"savedSearches","name":"delete","method":"delete","path":"/api/saved-searches/{searchId}","secured":true,"answer":"json"},
  'ruleTemplates.listRuleTemplates': {"group":"rules","name":"listRuleTemplates","method":"get","path":"/api/rules/templates","secured":true,"answer":"json"},
  'rules.listRules': {"group":"rules","name":"listRules","method":"get","path":"/api/rules/{accountId}","secured":true,"answer":"json"},
  'rules.createRule': {"group":"rules","name":"createRule","method":"post","path":"/api/rules/{accountId}","secured":true,"answer":"json"},
  'rules.previewRule': {"group":"rules","name":"previewRule","method":"post","path":"/api/rules/{accountId}/preview","secured":true,"answer":"json"},
  'rules.createRuleFromTemplate': {"group":"rules","name":"createRuleFromTemplate","method":"post","path":"/api/rules/{accountId}/from-template","secured":true,"answer":"json"},
  'rules.updateRule': {"group":"rules","name":"updateRule","method":"put","path":"/api/rules/{accountId}/{ruleId}","secured":true,"answer":"json"},
  'rules.deleteRule': {"group":"rules","name":"deleteRule","method":"delete","path":"/api/rules/{accountId}/{ruleId}","secured":true,"answer":"nothing"},
  'rules.toggleRule': {"group":"rules","name":"toggleRule","method":"patch","path":"/api/rules/{accountId}/{ruleId}/toggle","secured":true,"answer":"json"},
  'newsletters.scan': {"group":"newsletters","name":"scan","method":"post","path":"/api/unsubscribe/{accountId}/scan","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'newsletters.listNewsletters': {"group":"newsletters","name":"listNewsletters","method":"get","path":"/api/unsubscribe/{accountId}/newsletters","secured":true,"answer":"json"},
  'newsletters.listNewsletterMessages': {"group":"newsletters","name":"listNewsletterMessages","method":"get","path":"/api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages","secured":true,"answer":"json"},
  'newsletters.deleteNewsletters': {"group":"newsletters","name":"deleteNewsletters","method":"post","path":"/api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'dashboard.getMailboxStats': {"group":"dashboard","name":"getMailboxStats","method":"get","path":"/api/dashboard/{accountId}/stats","secured":true,"answer":"json"},
  'dashboard.getArchiveStats': {"group":"dashboard","name":"getArchiveStats","method":"get","path":"/api/dashboard/{accountId}/archive-stats","secured":true,"answer":"json"},
  'suggestions.dismissSuggestion': {"group":"analytics","name":"dismissSuggestion","method":"patch","path":"/api/analytics/suggestions/{suggestionId}/dismiss","secured":true,"answer":"json"},
  'analytics.getHeatmap': {"group":"analytics","name":"getHeatmap","method":"get","path":"/api/analytics/{accountId}/heatmap","secured":true,"answer":"json"},
  'analytics.getSenderScores': {"group":"analytics","name":"getSenderScores","method":"get","path":"/api/analytics/{accountId}/sender-scores","secured":true,"answer":"json"},
  'analytics.getCleanupSuggestions': {"group":"analytics","name":"getCleanupSuggestions","method":"get","path":"/api/analytics/{accountId}/cleanup-suggestions","secured":true,"answer":"json"},
  'analytics.getInboxZero': {"group":"analytics","name":"getInboxZero","method":"get","path":"/api/analytics/{accountId}/inbox-zero","secured":true,"answer":"json"},
  'analytics.takeInboxSnapshot': {"group":"analytics","name":"takeInboxSnapshot","method":"post","path":"/api/analytics/{accountId}/inbox-zero/snapshot","secured":true,"answer":"json"},
  'attachments.listArchivedAttachments': {"group":"attachments","name":"listArchivedAttachments","method":"get","path":"/api/attachments/{accountId}/archived","secured":true,"answer":"json","paging":{"by":"page","items":"attachments"}},
  'attachments.listLiveAttachments': {"group":"attachments","name":"listLiveAttachments","method":"get","path":"/api/attachments/{accountId}/live","secured":true,"answer":"json"},
  'quota.getUsage': {"group":"quota","name":"getUsage","method":"get","path":"/api/quota/{accountId}","secured":true,"answer":"json"},
  'quota.cleanUp': {"group":"quota","name":"cleanUp","method":"post","path":"/api/quota/cleanup","secured":true,"answer":"json"},
  'preferences.getPreferences': {"group":"notifications","name":"getPreferences","method":"get","path":"/api/notifications/preferences","secured":true,"answer":"json"},
  'preferences.changePreferences': {"group":"notifications","name":"changePreferences","method":"put","path":"/api/notifications/preferences","secured":true,"answer":"json"},
  'toasts.streamToasts': {"group":"notifications","name":"streamToasts","method":"get","path":"/api/notifications/events","secured":true,"answer":"events","headers":{"lastEventId":"Last-Event-ID"}},
  'notifications.listNotifications': {"group":"notifications","name":"listNotifications","method":"get","path":"/api/notifications","secured":true,"answer":"json","paging":{"by":"page","items":"notifications"}},
  'notifications.deleteReadNotifications': {"group":"notifications","name":"deleteReadNotifications","method":"delete","path":"/api/notifications","secured":true,"answer":"json"},
  'notifications.markAllNotificationsRead': {"group":"notifications","name":"markAllNotificationsRead","method":"post","path":"/api/notifications/read-all","secured":true,"answer":"json"},
  'notifications.markNotificationRead': {"group":"notifications","name":"markNotificationRead","method":"patch","path":"/api/notifications/{notificationId}/read","secured":true,"answer":"json"},
  'notifications.deleteNotification': {"group":"notifications","name":"deleteNotification","method":"delete","path":"/api/notifications/{notificationId}","secured":true,"answer":"json"},
  'webhooks.listWebhooks': {"group":"webhooks","name":"listWebhooks","method":"get","path":"/api/webhooks","secured":true,"answer":"json"},
  'webhooks.createWebhook': {"group":"webhooks","name":"createWebhook","method":"post","path":"/api/webhooks","secured":true,"answer":"json"},
  'webhooks.updateWebhook': {"group":"webhooks","name":"updateWebhook","method":"put","path":"/api/webhooks/{webhookId}","secured":true,"answer":"json"},
  'webhooks.deleteWebhook': {"group":"webhooks","name":"deleteWebhook","method":"delete","path":"/api/webhooks/{webhookId}","secured":true,"answer":"nothing"},
  'webhooks.toggleWebhook': {"group":"webhooks","name":"toggleWebhook","method":"patch","path":"/api/webhooks/{webhookId}/toggle","secured":true,"answer":"json"},
  'webhooks.testWebhook': {"group":"webhooks","name":"testWebhook","method":"post","path":"/api/webhooks/{webhookId}/test","secured":true,"answer":"json"},
  'webhooks.listWebhookDeliveries': {"group":"webhooks","name":"listWebhookDeliveries","method":"get","path":"/api/webhooks/{webhookId}/deliveries","secured":true,"answer":"json","paging":{"by":"page","items":"deliveries"}},
  'admin.stats': {"group":"admin","name":"stats","method":"get","path":"/api/admin/stats","secured":true,"answer":"json"},
  'admin.jobs': {"group":"admin","name":"jobs","method":"get","path":"/api/admin/jobs","secured":true,"answer":"json","paging":{"by":"page","items":"jobs"}},
  'adminUsers.list': {"group":"admin","name":"list","method":"get","path":"/api/admin/users","secured":true,"answer":"json","paging":{"by":"page","items":"users"}},
  'adminUsers.get': {"group":"admin","name":"get","method":"get","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'userDeletion.deleteUser': {"group":"admin","name":"deleteUser","method":"delete","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'adminUsers.update': {"group":"admin","name":"update","method":"patch","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'audit.listOwnAudit': {"group":"audit","name":"listOwnAudit","method":"get","path":"/api/audit","secured":true,"answer":"json","paging":{"by":"page","items":"entries"}},
  'adminAudit.listAllAudit': {"group":"admin","name":"listAllAudit","method":"get","path":"/api/admin/audit","secured":true,"answer":"json","paging":{"by":"page","items":"entries"}},
  'twoFactor.status': {"group":"twoFactor","name":"status","method":"get","path":"/api/auth/2fa","secured":true,"answer":"json"},
  'twoFactor.setUp': {"group":"twoFactor","name":"setUp","method":"post","path":"/api/auth/2fa/setup","secured":true,"answer":"json"},
  'twoFactor.enable': {"group":"twoFactor","name":"enable","method":"post","path":"/api/auth/2fa/enable","secured":true,"answer":"json"},
  'twoFactor.disable': {"group":"twoFactor","name":"disable","method":"post","path":"/api/auth/2fa/disable","secured":true,"answer":"json"},
  'twoFactor.renewRecoveryCodes': {"group":"twoFactor","name":"renewRecoveryCodes","method":"post","path":"/api/auth/2fa/recovery-codes","secured":true,"answer":"json"},
  'apiKeys.listApiKeys': {"group":"auth","name":"listApiKeys","method":"get","path":"/api/auth/api-keys","secured":true,"answer":"json"},
  'apiKeys.createApiKey': {"group":"auth","name":"createApiKey","method":"post","path":"/api/auth/api-keys","secured":true,"answer":"json"},
  'apiKeys.deleteApiKey': {"group":"auth","name":"deleteApiKey","method":"delete","path":"/api/auth/api-keys/{keyId}","secured":true,"answer":"nothing"},
  'oidc.link': {"group":"singleSignOn","name":"link","method":"post","path":"/api/auth/oidc/link","secured":true,"answer":"json"},
  'oidc.unlink': {"group":"singleSignOn","name":"unlink","method":"post","path":"/api/auth/oidc/unlink","secured":true,"answer":"json"},
  'ruleRuns.runRule': {"group":"rules","name":"runRule","method":"post","path":"/api/rules/{accountId}/{ruleId}/run","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'tracking.trackingStats': {"group":"privacy","name":"trackingStats","method":"get","path":"/api/privacy/{accountId}/tracking/stats","secured":true,"answer":"json"},
  'tracking.listTracking': {"group":"privacy","name":"listTracking","method":"get","path":"/api/privacy/{accountId}/tracking","secured":true,"answer":"json","paging":{"by":"page","items":"items"}},
  'tracking.startTrackingScan': {"group":"privacy","name":"startTrackingScan","method":"post","path":"/api/privacy/{accountId}/tracking/scan","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'pii.getPiiStats': {"group":"privacy","name":"getPiiStats","method":"get","path":"/api/privacy/{accountId}/pii/stats","secured":true,"answer":"json"},
  'pii.listPiiFindings': {"group":"privacy","name":"listPiiFindings","method":"get","path":"/api/privacy/{accountId}/pii","secured":true,"answer":"json","paging":{"by":"page","items":"items"}},
  'pii.scanForPii': {"group":"privacy","name":"scanForPii","method":"post","path":"/api/privacy/{accountId}/pii/scan","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'encryption.setUpEncryption': {"group":"privacy","name":"setUpEncryption","method":"post","path":"/api/privacy/encryption/setup","secured":true,"answer":"json"},
  'encryption.verifyPassphrase': {"group":"privacy","name":"verifyPassphrase","method":"post","path":"/api/privacy/encryption/verify","secured":true,"answer":"json"},
  'encryption.getEncryptionStatus': {"group":"privacy","name":"getEncryptionStatus","method":"get","path":"/api/privacy/{accountId}/encryption/status","secured":true,"answer":"json"},
  'encryption.decryptMail': {"group":"privacy","name":"decryptMail","method":"post","path":"/api/privacy/{accountId}/encryption/decrypt-mail","secured":true,"answer":"json"},
  'encryptArchives.encrypt': {"group":"privacy","name":"encrypt","method":"post","path":"/api/privacy/{accountId}/encryption/encrypt","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'safeHtml.readSafeHtml': {"group":"privacy","name":"readSafeHtml","method":"get","path":"/api/archive/{accountId}/mails/{mailId}/safe-html","secured":true,"answer":"json","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
} as const;

/** One method for each operation, by the tags of the document. */
export interface Api {
  readonly operations: {
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
    /**
     * The API keys of the caller, newest first, without the keys themselves
     *
     * `GET /api/auth/api-keys`
     */
    readonly listApiKeys: Method<'apiKeys.listApiKeys'>;
    /**
     * Make an API key
     *
     * `POST /api/auth/api-keys`
     */
    readonly createApiKey: Method<'apiKeys.createApiKey'>;
    /**
     * Delete an API key
     *
     * `DELETE /api/auth/api-keys/{keyId}`
     */
    readonly deleteApiKey: Method<'apiKeys.deleteApiKey'>;
  };
  readonly mailboxAccounts: {
    /**
     * Begins to connect a mailbox
     *
     * `GET /api/auth/mailbox/connect`
     */
    readonly connect: Method<'mailboxConnect.connect'>;
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
    readonly getProfile: Method<'messages.getProfile'>;
    /**
     * Ids of messages that match a query
     *
     * `GET /api/mailbox/{accountId}/messages`
     */
    readonly listMessages: Method<'messages.listMessages'>;
    /**
     * Metadata of up to 100 messages
     *
     * `POST /api/mailbox/{accountId}/messages/batch`
     */
    readonly getMessages: Method<'messages.getMessages'>;
    /**
     * Metadata of one message
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}`
     */
    readonly getMessage: Method<'messages.getMessage'>;
    /**
     * One message in full, in the provider’s own format
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/full`
     */
    readonly getFullMessage: Method<'messages.getFullMessage'>;
    /**
     * Download of one attachment of a live message
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}`
     */
    readonly downloadAttachment: Method<'messages.downloadAttachment'>;
    /**
     * Change many messages in the background
     *
     * `POST /api/mailbox/{accountId}/messages/bulk`
     */
    readonly startBulkOperation: Method<'bulk.startBulkOperation'>;
    /**
     * Labels of the mailbox
     *
     * `GET /api/mailbox/{accountId}/labels`
     */
    readonly listLabels: Method<'labels.listLabels'>;
    /**
     * Create a label
     *
     * `POST /api/mailbox/{accountId}/labels`
     */
    readonly createLabel: Method<'labels.createLabel'>;
    /**
     * Delete a label and take it off its messages
     *
     * `DELETE /api/mailbox/{accountId}/labels/{labelId}`
     */
    readonly deleteLabel: Method<'labels.deleteLabel'>;
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
    readonly archive: Method<'archive.archive'>;
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
    readonly listThreads: Method<'threads.listThreads'>;
    /**
     * Read a thread
     *
     * `GET /api/archive/{accountId}/threads/{threadId}`
     */
    readonly getThread: Method<'threads.getThread'>;
    /**
     * Export archived mails as ZIP
     *
     * `POST /api/archive/{accountId}/export-zip`
     */
    readonly exportZip: Method<'export.exportZip'>;
  };
  readonly storage: {
    /**
     * Where new mail of the caller is stored
     *
     * `GET /api/storage/config`
     */
    readonly config: Method<'storage.config'>;
    /**
     * Choose where new mail is stored
     *
     * `PUT /api/storage/config`
     */
    readonly choose: Method<'storage.choose'>;
    /**
     * Try whether an object store can be used: writes, reads and deletes an object
     *
     * `POST /api/storage/test-objstore`
     */
    readonly test: Method<'storage.test'>;
  };
  readonly import: {
    /**
     * Export archived mails as mbox
     *
     * `POST /api/import/{accountId}/export-mbox`
     */
    readonly exportMbox: Method<'imports.exportMbox'>;
    /**
     * Import an mbox file into the archive
     *
     * `POST /api/import/{accountId}/mbox`
     */
    readonly importMbox: Method<'importMbox.importMbox'>;
    /**
     * Import a folder from an IMAP server
     *
     * `POST /api/import/{accountId}/imap`
     */
    readonly import: Method<'imapImports.import'>;
  };
  readonly retention: {
    /**
     * The retention policies of the caller, newest first
     *
     * `GET /api/retention`
     */
    readonly listRetentionPolicies: Method<'retention.listRetentionPolicies'>;
    /**
     * Create a retention policy
     *
     * `POST /api/retention`
     */
    readonly createRetentionPolicy: Method<'retention.createRetentionPolicy'>;
    /**
     * Run all active retention policies of the caller now
     *
     * `POST /api/retention/run`
     */
    readonly runRetentionPolicies: Method<'retention.runRetentionPolicies'>;
    /**
     * What a retention policy would remove right now
     *
     * `GET /api/retention/{policyId}/preview`
     */
    readonly previewRetentionPolicy: Method<'retention.previewRetentionPolicy'>;
    /**
     * Change a retention policy
     *
     * `PUT /api/retention/{policyId}`
     */
    readonly updateRetentionPolicy: Method<'retention.updateRetentionPolicy'>;
    /**
     * Delete a retention policy
     *
     * `DELETE /api/retention/{policyId}`
     */
    readonly deleteRetentionPolicy: Method<'retention.deleteRetentionPolicy'>;
  };
  readonly admin: {
    /**
     * Check all archives now, in the background
     *
     * `POST /api/admin/integrity/check`
     */
    readonly check: Method<'integrity.check'>;
    /**
     * Figures of the whole installation
     *
     * `GET /api/admin/stats`
     */
    readonly stats: Method<'admin.stats'>;
    /**
     * Everybody's jobs, newest first
     *
     * `GET /api/admin/jobs`
     */
    readonly jobs: Method<'admin.jobs'>;
    /**
     * The users, newest first
     *
     * `GET /api/admin/users`
     */
    readonly list: Method<'adminUsers.list'>;
    /**
     * A user, their mailboxes and their last 20 jobs
     *
     * `GET /api/admin/users/{userId}`
     */
    readonly get: Method<'adminUsers.get'>;
    /**
     * Delete a user with everything of theirs
     *
     * `DELETE /api/admin/users/{userId}`
     */
    readonly deleteUser: Method<'userDeletion.deleteUser'>;
    /**
     * Change a user's role, activation or limits
     *
     * `PATCH /api/admin/users/{userId}`
     */
    readonly update: Method<'adminUsers.update'>;
    /**
     * The audit log of the installation, newest first
     *
     * `GET /api/admin/audit`
     */
    readonly listAllAudit: Method<'adminAudit.listAllAudit'>;
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
    readonly listRuleTemplates: Method<'ruleTemplates.listRuleTemplates'>;
    /**
     * Rules of the mailbox, newest first
     *
     * `GET /api/rules/{accountId}`
     */
    readonly listRules: Method<'rules.listRules'>;
    /**
     * Create a rule
     *
     * `POST /api/rules/{accountId}`
     */
    readonly createRule: Method<'rules.createRule'>;
    /**
     * What conditions would find
     *
     * `POST /api/rules/{accountId}/preview`
     */
    readonly previewRule: Method<'rules.previewRule'>;
    /**
     * Create a rule from a template
     *
     * `POST /api/rules/{accountId}/from-template`
     */
    readonly createRuleFromTemplate: Method<'rules.createRuleFromTemplate'>;
    /**
     * Change a rule
     *
     * `PUT /api/rules/{accountId}/{ruleId}`
     */
    readonly updateRule: Method<'rules.updateRule'>;
    /**
     * Delete a rule
     *
     * `DELETE /api/rules/{accountId}/{ruleId}`
     */
    readonly deleteRule: Method<'rules.deleteRule'>;
    /**
     * Switch a rule on or off
     *
     * `PATCH /api/rules/{accountId}/{ruleId}/toggle`
     */
    readonly toggleRule: Method<'rules.toggleRule'>;
    /**
     * Run a rule now, in the background
     *
     * `POST /api/rules/{accountId}/{ruleId}/run`
     */
    readonly runRule: Method<'ruleRuns.runRule'>;
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
    readonly listNewsletters: Method<'newsletters.listNewsletters'>;
    /**
     * Newsletters of one sender
     *
     * `GET /api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages`
     */
    readonly listNewsletterMessages: Method<'newsletters.listNewsletterMessages'>;
    /**
     * Trash or delete the newsletters of one sender
     *
     * `POST /api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete`
     */
    readonly deleteNewsletters: Method<'newsletters.deleteNewsletters'>;
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
    readonly dismissSuggestion: Method<'suggestions.dismissSuggestion'>;
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
    readonly getPreferences: Method<'preferences.getPreferences'>;
    /**
     * Change what the caller wants to be told
     *
     * `PUT /api/notifications/preferences`
     */
    readonly changePreferences: Method<'preferences.changePreferences'>;
    /**
     * What happens to the caller, live
     *
     * `GET /api/notifications/events`
     */
    readonly streamToasts: Method<'toasts.streamToasts'>;
    /**
     * Notifications of the caller, newest first
     *
     * `GET /api/notifications`
     */
    readonly listNotifications: Method<'notifications.listNotifications'>;
    /**
     * Delete the notifications that are read
     *
     * `DELETE /api/notifications`
     */
    readonly deleteReadNotifications: Method<'notifications.deleteReadNotifications'>;
    /**
     * Mark all notifications as read
     *
     * `POST /api/notifications/read-all`
     */
    readonly markAllNotificationsRead: Method<'notifications.markAllNotificationsRead'>;
    /**
     * Mark a notification as read
     *
     * `PATCH /api/notifications/{notificationId}/read`
     */
    readonly markNotificationRead: Method<'notifications.markNotificationRead'>;
    /**
     * Delete a notification
     *
     * `DELETE /api/notifications/{notificationId}`
     */
    readonly deleteNotification: Method<'notifications.deleteNotification'>;
  };
  readonly webhooks: {
    /**
     * Webhooks of the caller, newest first
     *
     * `GET /api/webhooks`
     */
    readonly listWebhooks: Method<'webhooks.listWebhooks'>;
    /**
     * Add a webhook
     *
     * `POST /api/webhooks`
     */
    readonly createWebhook: Method<'webhooks.createWebhook'>;
    /**
     * Change a webhook
     *
     * `PUT /api/webhooks/{webhookId}`
     */
    readonly updateWebhook: Method<'webhooks.updateWebhook'>;
    /**
     * Delete a webhook and its deliveries
     *
     * `DELETE /api/webhooks/{webhookId}`
     */
    readonly deleteWebhook: Method<'webhooks.deleteWebhook'>;
    /**
     * Switch a webhook on or off
     *
     * `PATCH /api/webhooks/{webhookId}/toggle`
     */
    readonly toggleWebhook: Method<'webhooks.toggleWebhook'>;
    /**
     * Send a sample job.completed event to a webhook, once
     *
     * `POST /api/webhooks/{webhookId}/test`
     */
    readonly testWebhook: Method<'webhooks.testWebhook'>;
    /**
     * What a webhook was told, with every attempt, newest first
     *
     * `GET /api/webhooks/{webhookId}/deliveries`
     */
    readonly listWebhookDeliveries: Method<'webhooks.listWebhookDeliveries'>;
  };
  readonly audit: {
    /**
     * The audit log of the caller, newest first
     *
     * `GET /api/audit`
     */
    readonly listOwnAudit: Method<'audit.listOwnAudit'>;
  };
  readonly twoFactor: {
    /**
     * Whether signing in asks for a one-time code
     *
     * `GET /api/auth/2fa`
     */
    readonly status: Method<'twoFactor.status'>;
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
  readonly singleSignOn: {
    /**
     * Begins to link the caller to the OpenID provider
     *
     * `POST /api/auth/oidc/link`
     */
    readonly link: Method<'oidc.link'>;
    /**
     * Unlinks the caller from the OpenID provider
     *
     * `POST /api/auth/oidc/unlink`
     */
    readonly unlink: Method<'oidc.unlink'>;
  };
  readonly privacy: {
    /**
     * How much of the mailbox is tracked, and by whom
     *
     * `GET /api/privacy/{accountId}/tracking/stats`
     */
    readonly trackingStats: Method<'tracking.trackingStats'>;
    /**
     * Messages with trackers, newest first
     *
     * `GET /api/privacy/{accountId}/tracking`
     */
    readonly listTracking: Method<'tracking.listTracking'>;
    /**
     * Scan the newest messages for trackers
     *
     * `POST /api/privacy/{accountId}/tracking/scan`
     */
    readonly startTrackingScan: Method<'tracking.startTrackingScan'>;
    /**
     * How much personal data the archive holds
     *
     * `GET /api/privacy/{accountId}/pii/stats`
     */
    readonly getPiiStats: Method<'pii.getPiiStats'>;
    /**
     * Mails with personal data, newest first
     *
     * `GET /api/privacy/{accountId}/pii`
     */
    readonly listPiiFindings: Method<'pii.listPiiFindings'>;
    /**
     * Look through the archive for personal data
     *
     * `POST /api/privacy/{accountId}/pii/scan`
     */
    readonly scanForPii: Method<'pii.scanForPii'>;
    /**
     * Set up the passphrase of the caller
     *
     * `POST /api/privacy/encryption/setup`
     */
    readonly setUpEncryption: Method<'encryption.setUpEncryption'>;
    /**
     * Check a passphrase
     *
     * `POST /api/privacy/encryption/verify`
     */
    readonly verifyPassphrase: Method<'encryption.verifyPassphrase'>;
    /**
     * How much of an archive is encrypted
     *
     * `GET /api/privacy/{accountId}/encryption/status`
     */
    readonly getEncryptionStatus: Method<'encryption.getEncryptionStatus'>;
    /**
     * Read an encrypted mail
     *
     * `POST /api/privacy/{accountId}/encryption/decrypt-mail`
     */
    readonly decryptMail: Method<'encryption.decryptMail'>;
    /**
     * Encrypt the archive of an account
     *
     * `POST /api/privacy/{accountId}/encryption/encrypt`
     */
    readonly encrypt: Method<'encryptArchives.encrypt'>;
    /**
     * Read an archived mail as safe HTML
     *
     * `GET /api/archive/{accountId}/mails/{mailId}/safe-html`
     */
    readonly readSafeHtml: Method<'safeHtml.readSafeHtml'>;
  };
}
