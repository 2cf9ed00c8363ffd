/* Made by `npm run sdk` from openapi.json: not to be edited. */
import type { Method } from '../operations/operation-types.js';

/** Method and path of each operation, by its operationId. */
export const OPERATIONS = {
  'jobs.list': {"group":"jobs","name":"list","method":"get","path":"/api/jobs","secured":true,"answer":"json","paging":{"by":"cursor","cursor":"before","field":"id"}},
  'jobs.streamAll': {"group":"jobs","name":"streamAll","method":"get","path":"/api/jobs/events","secured":true,"answer":"events"},
  'jobs.get': {"group":"jobs","name":"get","method":"get","path":"/api/jobs/{jobId}","secured":true,"answer":"json"},
  'jobs.cancel': {"group":"jobs","name":"cancel","method":"delete","path":"/api/jobs/{jobId}","secured":true,"answer":"nothing"},
  'jobs.streamOne': {"group":"jobs","name":"streamOne","method":"get","path":"/api/jobs/{jobId}/events","secured":true,"answer":"events"},
  'jobs.resume': {"group":"jobs","name":"resume","method":"post","path":"/api/jobs/{jobId}/resume","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'jobs.retryFailed': {"group":"jobs","name":"retryFailed","method":"post","path":"/api/jobs/{jobId}/retry-failed","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'audit.list': {"group":"audit","name":"list","method":"get","path":"/api/audit","secured":true,"answer":"json","paging":{"by":"page","items":"entries"}},
  'audit.exportCsv': {"group":"audit","name":"exportCsv","method":"get","path":"/api/audit/export","secured":true,"answer":"download"},
  'admin.listAudit': {"group":"admin","name":"listAudit","method":"get","path":"/api/admin/audit","secured":true,"answer":"json","paging":{"by":"page","items":"entries"}},
  'admin.exportAudit': {"group":"admin","name":"exportAudit","method":"get","path":"/api/admin/audit/export","secured":true,"answer":"download"},
  'sessions.list': {"group":"sessions","name":"list","method":"get","path":"/api/auth/sessions","secured":true,"answer":"json"},
  'sessions.endOthers': {"group":"sessions","name":"endOthers","method":"delete","path":"/api/auth/sessions","secured":true,"answer":"nothing"},
  'sessions.end': {"group":"sessions","name":"end","method":"delete","path":"/api/auth/sessions/{sessionId}","secured":true,"answer":"nothing"},
  'apiKeys.list': {"group":"apiKeys","name":"list","method":"get","path":"/api/auth/api-keys","secured":true,"answer":"json"},
  'apiKeys.create': {"group":"apiKeys","name":"create","method":"post","path":"/api/auth/api-keys","secured":true,"answer":"json"},
  'apiKeys.delete': {"group":"apiKeys","name":"delete","method":"delete","path":"/api/auth/api-keys/{keyId}","secured":true,"answer":"nothing"},
  'twoFactor.getStatus': {"group":"twoFactor","name":"getStatus","method":"get","path":"/api/auth/2fa","secured":true,"answer":"json"},
  'twoFactor.setUp': {"group":"twoFactor","name":"setUp","method":"post","path":"/api/auth/2fa/setup","secured":true,"answer":"json"},
  'twoFactor.enable': {"group":"twoFactor","name":"enable","method":"post","path":"/api/auth/2fa/enable","secured":true,"answer":"json"},
  'twoFactor.disable': {"group":"twoFactor","name":"disable","method":"post","path":"/api/auth/2fa/disable","secured":true,"answer":"json"},
  'twoFactor.renewRecoveryCodes': {"group":"twoFactor","name":"renewRecoveryCodes","method":"post","path":"/api/auth/2fa/recovery-codes","secured":true,"answer":"json"},
  'auth.register': {"group":"auth","name":"register","method":"post","path":"/api/auth/register","secured":false,"answer":"json"},
  'auth.login': {"group":"auth","name":"login","method":"post","path":"/api/auth/login","secured":false,"answer":"json"},
  'auth.refresh': {"group":"auth","name":"refresh","method":"post","path":"/api/auth/refresh","secured":false,"answer":"json"},
  'auth.logout': {"group":"auth","name":"logout","method":"post","path":"/api/auth/logout","secured":true,"answer":"nothing"},
  'auth.changePassword': {"group":"auth","name":"changePassword","method":"post","path":"/api/auth/password","secured":true,"answer":"nothing"},
  'auth.readInvitation': {"group":"auth","name":"readInvitation","method":"post","path":"/api/auth/invitation","secured":false,"answer":"json"},
  'auth.acceptInvitation': {"group":"auth","name":"acceptInvitation","method":"post","path":"/api/auth/invitation/accept","secured":false,"answer":"json"},
  'auth.readPasswordReset': {"group":"auth","name":"readPasswordReset","method":"post","path":"/api/auth/password-reset","secured":false,"answer":"json"},
  'auth.completePasswordReset': {"group":"auth","name":"completePasswordReset","method":"post","path":"/api/auth/password-reset/complete","secured":false,"answer":"nothing"},
  'singleSignOn.link': {"group":"singleSignOn","name":"link","method":"post","path":"/api/auth/oidc/link","secured":true,"answer":"json"},
  'singleSignOn.unlink': {"group":"singleSignOn","name":"unlink","method":"post","path":"/api/auth/oidc/unlink","secured":true,"answer":"json"},
  'passkeys.list': {"group":"passkeys","name":"list","method":"get","path":"/api/auth/passkeys","secured":true,"answer":"json"},
  'passkeys.add': {"group":"passkeys","name":"add","method":"post","path":"/api/auth/passkeys","secured":true,"answer":"json"},
  'passkeys.beginAdding': {"group":"passkeys","name":"beginAdding","method":"post","path":"/api/auth/passkeys/options","secured":true,"answer":"json"},
  'passkeys.delete': {"group":"passkeys","name":"delete","method":"delete","path":"/api/auth/passkeys/{passkeyId}","secured":true,"answer":"nothing"},
  'passkeys.rename': {"group":"passkeys","name":"rename","method":"patch","path":"/api/auth/passkeys/{passkeyId}","secured":true,"answer":"json"},
  'passkeys.beginSignIn': {"group":"passkeys","name":"beginSignIn","method":"post","path":"/api/auth/passkeys/sign-in/options","secured":false,"answer":"json"},
  'passkeys.signIn': {"group":"passkeys","name":"signIn","method":"post","path":"/api/auth/passkeys/sign-in","secured":false,"answer":"json"},
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
  'mailboxAccounts.createArchive': {"group":"mailboxAccounts","name":"createArchive","method":"post","path":"/api/auth/mailbox/archives","secured":true,"answer":"json"},
  'mailboxAccounts.disconnect': {"group":"mailboxAccounts","name":"disconnect","method":"delete","path":"/api/auth/mailbox/{accountId}","secured":true,"answer":"nothing"},
  'mailboxAccounts.renameArchive': {"group":"mailboxAccounts","name":"renameArchive","method":"patch","path":"/api/auth/mailbox/{accountId}","secured":true,"answer":"json"},
  'mailboxAccounts.toggle': {"group":"mailboxAccounts","name":"toggle","method":"patch","path":"/api/auth/mailbox/{accountId}/toggle","secured":true,"answer":"json"},
  'mailbox.getProfile': {"group":"mailbox","name":"getProfile","method":"get","path":"/api/mailbox/{accountId}/profile","secured":true,"answer":"json"},
  'mailbox.listMessages': {"group":"mailbox","name":"listMessages","method":"get","path":"/api/mailbox/{accountId}/messages","secured":true,"answer":"json","paging":{"by":"token","items":"messages"}},
  'mailbox.getMessages': {"group":"mailbox","name":"getMessages","method":"post","path":"/api/mailbox/{accountId}/messages/batch","secured":true,"answer":"json"},
  'mailbox.getMessage': {"group":"mailbox","name":"getMessage","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}","secured":true,"answer":"json"},
  'mailbox.getFullMessage': {"group":"mailbox","name":"getFullMessage","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/full","secured":true,"answer":"json"},
  'mailbox.downloadEml': {"group":"mailbox","name":"downloadEml","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/eml","secured":true,"answer":"download"},
  'mailbox.downloadAttachment': {"group":"mailbox","name":"downloadAttachment","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}","secured":true,"answer":"download"},
  'mailbox.listLabels': {"group":"mailbox","name":"listLabels","method":"get","path":"/api/mailbox/{accountId}/labels","secured":true,"answer":"json"},
  'mailbox.createLabel': {"group":"mailbox","name":"createLabel","method":"post","path":"/api/mailbox/{accountId}/labels","secured":true,"answer":"json"},
  'mailbox.deleteLabel': {"group":"mailbox","name":"deleteLabel","method":"delete","path":"/api/mailbox/{accountId}/labels/{labelId}","secured":true,"answer":"nothing"},
  'liveUpdates.stream': {"group":"liveUpdates","name":"stream","method":"get","path":"/api/events","secured":true,"answer":"events","headers":{"lastEventId":"Last-Event-ID"}},
  'mailboxAccounts.connect': {"group":"mailboxAccounts","name":"connect","method":"get","path":"/api/auth/mailbox/connect","secured":true,"answer":"json"},
  'mailboxAccounts.connectDevice': {"group":"mailboxAccounts","name":"connectDevice","method":"post","path":"/api/auth/mailbox/device","secured":true,"answer":"json"},
  'mailboxAccounts.getDeviceConsent': {"group":"mailboxAccounts","name":"getDeviceConsent","method":"get","path":"/api/auth/mailbox/device/{consentId}","secured":true,"answer":"json"},
  'imapAccounts.discover': {"group":"imapAccounts","name":"discover","method":"post","path":"/api/auth/mailbox/imap/discover","secured":true,"answer":"json"},
  'imapAccounts.test': {"group":"imapAccounts","name":"test","method":"post","path":"/api/auth/mailbox/imap/test","secured":true,"answer":"json"},
  'imapAccounts.connect': {"group":"imapAccounts","name":"connect","method":"post","path":"/api/auth/mailbox/imap","secured":true,"answer":"json"},
  'imapAccounts.get': {"group":"imapAccounts","name":"get","method":"get","path":"/api/auth/mailbox/{accountId}/imap","secured":true,"answer":"json"},
  'imapAccounts.update': {"group":"imapAccounts","name":"update","method":"patch","path":"/api/auth/mailbox/{accountId}/imap","secured":true,"answer":"json"},
  'mailbox.createSelection': {"group":"mailbox","name":"createSelection","method":"post","path":"/api/mailbox/{accountId}/selections","secured":true,"answer":"json"},
  'mailbox.startBulkOperation': {"group":"mailbox","name":"startBulkOperation","method":"post","path":"/api/mailbox/{accountId}/messages/bulk","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'jobs.getUndo': {"group":"jobs","name":"getUndo","method":"get","path":"/api/jobs/{jobId}/undo","secured":true,"answer":"json"},
  'jobs.undo': {"group":"jobs","name":"undo","method":"post","path":"/api/jobs/{jobId}/undo","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'savedSearches.list': {"group":"savedSearches","name":"list","method":"get","path":"/api/saved-searches","secured":true,"answer":"json"},
  'savedSearches.create': {"group":"savedSearches","name":"create","method":"post","path":"/api/saved-searches","secured":true,"answer":"json"},
  'savedSearches.reorder': {"group":"savedSearches","name":"reorder","method":"put","path":"/api/saved-searches/reorder","secured":true,"answer":"json"},
  'savedSearches.update': {"group":"savedSearches","name":"update","method":"put","path":"/api/saved-searches/{searchId}","secured":true,"answer":"json"},
  'savedSearches.delete': {"group":"savedSearches","name":"delete","method":"delete","path":"/api/saved-searches/{searchId}","secured":true,"answer":"json"},
  'archive.archiveMessages': {"group":"archive","name":"archiveMessages","method":"post","path":"/api/archive/{accountId}/archive","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'archive.listMails': {"group":"archive","name":"listMails","method":"get","path":"/api/archive/{accountId}/mails","secured":true,"answer":"json","paging":{"by":"page","items":"mails"}},
  'archive.getMail': {"group":"archive","name":"getMail","method":"get","path":"/api/archive/{accountId}/mails/{mailId}","secured":true,"answer":"json"},
  'archive.downloadEml': {"group":"archive","name":"downloadEml","method":"get","path":"/api/archive/{accountId}/mails/{mailId}/eml","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase","range":"Range"}},
  'archive.downloadAttachment': {"group":"archive","name":"downloadAttachment","method":"get","path":"/api/archive/{accountId}/attachments/{attachmentId}/download","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase","range":"Range"}},
  'archive.getFacets': {"group":"archive","name":"getFacets","method":"get","path":"/api/archive/{accountId}/facets","secured":true,"answer":"json"},
  'archive.getForecast': {"group":"archive","name":"getForecast","method":"get","path":"/api/archive/{accountId}/forecast","secured":true,"answer":"json"},
  'archive.search': {"group":"archive","name":"search","method":"get","path":"/api/archive/search","secured":true,"answer":"json","paging":{"by":"page","items":"mails"}},
  'archive.listThreads': {"group":"archive","name":"listThreads","method":"get","path":"/api/archive/{accountId}/threads","secured":true,"answer":"json","paging":{"by":"page","items":"threads"}},
  'archive.getThread': {"group":"archive","name":"getThread","method":"get","path":"/api/archive/{accountId}/threads/{threadId}","secured":true,"answer":"json"},
  'archive.deleteMails': {"group":"archive","name":"deleteMails","method":"post","path":"/api/archive/{accountId}/delete","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'archive.getIndex': {"group":"archive","name":"getIndex","method":"get","path":"/api/archive/{accountId}/index","secured":true,"answer":"json"},
  'archive.listIndexItems': {"group":"archive","name":"listIndexItems","method":"get","path":"/api/archive/{accountId}/index/items","secured":true,"answer":"json","paging":{"by":"page","items":"items"}},
  'archive.retryIndexing': {"group":"archive","name":"retryIndexing","method":"post","path":"/api/archive/{accountId}/index/retry","secured":true,"answer":"json"},
  'archive.exportZip': {"group":"archive","name":"exportZip","method":"post","path":"/api/archive/{accountId}/export-zip","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'archive.exportMailbox': {"group":"archive","name":"exportMailbox","method":"post","path":"/api/archive/{accountId}/export-mailbox","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'import.exportMbox': {"group":"import","name":"exportMbox","method":"post","path":"/api/import/{accountId}/export-mbox","secured":true,"answer":"download","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'archive.prepareExport': {"group":"archive","name":"prepareExport","method":"post","path":"/api/archive/{accountId}/exports","secured":true,"answer":"json","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'archive.downloadExport': {"group":"archive","name":"downloadExport","method":"get","path":"/api/archive/{accountId}/exports/{exportId}","secured":true,"answer":"download"},
  'storage.getConfig': {"group":"storage","name":"getConfig","method":"get","path":"/api/storage/config","secured":true,"answer":"json"},
  'storage.updateConfig': {"group":"storage","name":"updateConfig","method":"put","path":"/api/storage/config","secured":true,"answer":"json"},
  'storage.testObjectStore': {"group":"storage","name":"testObjectStore","method":"post","path":"/api/storage/test-objstore","secured":true,"answer":"json"},
  'import.importMbox': {"group":"import","name":"importMbox","method":"post","path":"/api/import/{accountId}/mbox","secured":true,"answer":"json","multipart":true,"headers":{"idempotencyKey":"Idempotency-Key"}},
  'import.importImap': {"group":"import","name":"importImap","method":"post","path":"/api/import/{accountId}/imap","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'import.forecastImap': {"group":"import","name":"forecastImap","method":"post","path":"/api/import/{accountId}/imap/forecast","secured":true,"answer":"json"},
  'import.listUploads': {"group":"import","name":"listUploads","method":"get","path":"/api/import/{accountId}/uploads","secured":true,"answer":"json"},
  'import.createUpload': {"group":"import","name":"createUpload","method":"post","path":"/api/import/{accountId}/uploads","secured":true,"answer":"json"},
  'import.getUpload': {"group":"import","name":"getUpload","method":"get","path":"/api/import/{accountId}/uploads/{uploadId}","secured":true,"answer":"json"},
  'import.deleteUpload': {"group":"import","name":"deleteUpload","method":"delete","path":"/api/import/{accountId}/uploads/{uploadId}","secured":true,"answer":"nothing"},
  'import.uploadChunk': {"group":"import","name":"uploadChunk","method":"patch","path":"/api/import/{accountId}/uploads/{uploadId}","secured":true,"answer":"json","bytes":true,"headers":{"uploadOffset":"Upload-Offset"}},
  'import.completeUpload': {"group":"import","name":"completeUpload","method":"post","path":"/api/import/{accountId}/uploads/{uploadId}/complete","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'journal.get': {"group":"journal","name":"get","method":"get","path":"/api/journal/{accountId}","secured":true,"answer":"json"},
  'journal.turnOn': {"group":"journal","name":"turnOn","method":"put","path":"/api/journal/{accountId}","secured":true,"answer":"json"},
  'journal.turnOff': {"group":"journal","name":"turnOff","method":"delete","path":"/api/journal/{accountId}","secured":true,"answer":"nothing"},
  'journal.replaceAddress': {"group":"journal","name":"replaceAddress","method":"post","path":"/api/journal/{accountId}/replace","secured":true,"answer":"json"},
  'retention.list': {"group":"retention","name":"list","method":"get","path":"/api/retention","secured":true,"answer":"json"},
  'retention.create': {"group":"retention","name":"create","method":"post","path":"/api/retention","secured":true,"answer":"json"},
  'retention.run': {"group":"retention","name":"run","method":"post","path":"/api/retention/run","secured":true,"answer":"json"},
  'retention.preview': {"group":"retention","name":"preview","method":"get","path":"/api/retention/{policyId}/preview","secured":true,"answer":"json"},
  'retention.update': {"group":"retention","name":"update","method":"put","path":"/api/retention/{policyId}","secured":true,"answer":"json"},
  'retention.delete': {"group":"retention","name":"delete","method":"delete","path":"/api/retention/{policyId}","secured":true,"answer":"nothing"},
  'attachments.listArchivedAttachments': {"group":"attachments","name":"listArchivedAttachments","method":"get","path":"/api/attachments/{accountId}/archived","secured":true,"answer":"json","paging":{"by":"page","items":"attachments"}},
  'attachments.listLiveAttachments': {"group":"attachments","name":"listLiveAttachments","method":"get","path":"/api/attachments/{accountId}/live","secured":true,"answer":"json"},
  'search.suggest': {"group":"search","name":"suggest","method":"get","path":"/api/search/suggestions","secured":true,"answer":"json"},
  'search.search': {"group":"search","name":"search","method":"get","path":"/api/search","secured":true,"answer":"json","paging":{"by":"page","items":"results"}},
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
  'privacy.loadRemoteImages': {"group":"privacy","name":"loadRemoteImages","method":"post","path":"/api/archive/{accountId}/mails/{mailId}/remote-images","secured":true,"answer":"json","headers":{"archivePassphrase":"X-Archive-Passphrase"}},
  'mailbox.readSafeHtml': {"group":"mailbox","name":"readSafeHtml","method":"get","path":"/api/mailbox/{accountId}/messages/{messageId}/safe-html","secured":true,"answer":"json"},
  'mailbox.loadRemoteImages': {"group":"mailbox","name":"loadRemoteImages","method":"post","path":"/api/mailbox/{accountId}/messages/{messageId}/remote-images","secured":true,"answer":"json"},
  'rules.listTemplates': {"group":"rules","name":"listTemplates","method":"get","path":"/api/rules/templates","secured":true,"answer":"json"},
  'rules.list': {"group":"rules","name":"list","method":"get","path":"/api/rules/{accountId}","secured":true,"answer":"json"},
  'rules.create': {"group":"rules","name":"create","method":"post","path":"/api/rules/{accountId}","secured":true,"answer":"json"},
  'rules.preview': {"group":"rules","name":"preview","method":"post","path":"/api/rules/{accountId}/preview","secured":true,"answer":"json"},
  'rules.createFromTemplate': {"group":"rules","name":"createFromTemplate","method":"post","path":"/api/rules/{accountId}/from-template","secured":true,"answer":"json"},
  'rules.update': {"group":"rules","name":"update","method":"put","path":"/api/rules/{accountId}/{ruleId}","secured":true,"answer":"json"},
  'rules.delete': {"group":"rules","name":"delete","method":"delete","path":"/api/rules/{accountId}/{ruleId}","secured":true,"answer":"nothing"},
  'rules.toggle': {"group":"rules","name":"toggle","method":"patch","path":"/api/rules/{accountId}/{ruleId}/toggle","secured":true,"answer":"json"},
  'rules.run': {"group":"rules","name":"run","method":"post","path":"/api/rules/{accountId}/{ruleId}/run","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
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
  'quota.getUsage': {"group":"quota","name":"getUsage","method":"get","path":"/api/quota/{accountId}","secured":true,"answer":"json"},
  'quota.cleanUp': {"group":"quota","name":"cleanUp","method":"post","path":"/api/quota/cleanup","secured":true,"answer":"json"},
  'archiving.get': {"group":"archiving","name":"get","method":"get","path":"/api/archiving/{accountId}","secured":true,"answer":"json"},
  'archiving.update': {"group":"archiving","name":"update","method":"put","path":"/api/archiving/{accountId}","secured":true,"answer":"json"},
  'archiving.reconcile': {"group":"archiving","name":"reconcile","method":"post","path":"/api/archiving/{accountId}/reconcile","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'coverage.get': {"group":"coverage","name":"get","method":"get","path":"/api/coverage/{accountId}","secured":true,"answer":"json"},
  'coverage.listMessages': {"group":"coverage","name":"listMessages","method":"get","path":"/api/coverage/{accountId}/messages","secured":true,"answer":"json"},
  'coverage.getMessage': {"group":"coverage","name":"getMessage","method":"get","path":"/api/coverage/{accountId}/messages/{messageId}","secured":true,"answer":"json"},
  'coverage.askDeletable': {"group":"coverage","name":"askDeletable","method":"post","path":"/api/coverage/{accountId}/deletable","secured":true,"answer":"json"},
  'archive.getIntegrity': {"group":"archive","name":"getIntegrity","method":"get","path":"/api/archive/{accountId}/integrity","secured":true,"answer":"json"},
  'admin.checkIntegrity': {"group":"admin","name":"checkIntegrity","method":"post","path":"/api/admin/integrity/check","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'restore.listRestores': {"group":"restore","name":"listRestores","method":"get","path":"/api/restore/{accountId}","secured":true,"answer":"json"},
  'restore.planRestore': {"group":"restore","name":"planRestore","method":"post","path":"/api/restore/{accountId}","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'restore.getRestore': {"group":"restore","name":"getRestore","method":"get","path":"/api/restore/{accountId}/{restoreId}","secured":true,"answer":"json"},
  'restore.listRestoreItems': {"group":"restore","name":"listRestoreItems","method":"get","path":"/api/restore/{accountId}/{restoreId}/items","secured":true,"answer":"json"},
  'restore.downloadRestoreReport': {"group":"restore","name":"downloadRestoreReport","method":"get","path":"/api/restore/{accountId}/{restoreId}/report","secured":true,"answer":"download"},
  'restore.startRestore': {"group":"restore","name":"startRestore","method":"post","path":"/api/restore/{accountId}/{restoreId}/start","secured":true,"answer":"json","headers":{"archivePassphrase":"X-Archive-Passphrase","idempotencyKey":"Idempotency-Key"}},
  'offload.listSigningKeys': {"group":"offload","name":"listSigningKeys","method":"get","path":"/api/offload/keys","secured":true,"answer":"json"},
  'offload.listPlans': {"group":"offload","name":"listPlans","method":"get","path":"/api/offload/{accountId}/plans","secured":true,"answer":"json"},
  'offload.createPlan': {"group":"offload","name":"createPlan","method":"post","path":"/api/offload/{accountId}/plans","secured":true,"answer":"json","headers":{"idempotencyKey":"Idempotency-Key"}},
  'offload.getPlan': {"group":"offload","name":"getPlan","method":"get","path":"/api/offload/{accountId}/plans/{planId}","secured":true,"answer":"json"},
  'offload.deletePlan': {"group":"offload","name":"deletePlan","method":"delete","path":"/api/offload/{accountId}/plans/{planId}","secured":true,"answer":"nothing"},
  'offload.listPlanMessages': {"group":"offload","name":"listPlanMessages","method":"get","path":"/api/offload/{accountId}/plans/{planId}/messages","secured":true,"answer":"json"},
  'offload.confirmPlan': {"group":"offload","name":"confirmPlan","method":"post","path":"/api/offload/{accountId}/plans/{planId}/confirm","secured":true,"answer":"json","headers":{"archivePassphrase":"X-Archive-Passphrase","idempotencyKey":"Idempotency-Key"}},
  'offload.listReceipts': {"group":"offload","name":"listReceipts","method":"get","path":"/api/offload/{accountId}/receipts","secured":true,"answer":"json"},
  'offload.getReceipt': {"group":"offload","name":"getReceipt","method":"get","path":"/api/offload/{accountId}/receipts/{planId}","secured":true,"answer":"json"},
  'offload.getReceiptItems': {"group":"offload","name":"getReceiptItems","method":"get","path":"/api/offload/{accountId}/receipts/{planId}/items","secured":true,"answer":"download"},
  'offload.getSchedule': {"group":"offload","name":"getSchedule","method":"get","path":"/api/offload/{accountId}/schedule","secured":true,"answer":"json"},
  'offload.setSchedule': {"group":"offload","name":"setSchedule","method":"put","path":"/api/offload/{accountId}/schedule","secured":true,"answer":"json"},
  'health.live': {"group":"health","name":"live","method":"get","path":"/health/live","secured":false,"answer":"json"},
  'health.ready': {"group":"health","name":"ready","method":"get","path":"/health/ready","secured":false,"answer":"json"},
  'auth.config': {"group":"auth","name":"config","method":"get","path":"/api/auth/config","secured":false,"answer":"json"},
  'auth.me': {"group":"auth","name":"me","method":"get","path":"/api/auth/me","secured":true,"answer":"json"},
  'auth.updateMe': {"group":"auth","name":"updateMe","method":"patch","path":"/api/auth/me","secured":true,"answer":"json"},
  'auth.getPreferences': {"group":"auth","name":"getPreferences","method":"get","path":"/api/auth/preferences","secured":true,"answer":"json"},
  'auth.updatePreferences': {"group":"auth","name":"updatePreferences","method":"patch","path":"/api/auth/preferences","secured":true,"answer":"json"},
  'admin.getStats': {"group":"admin","name":"getStats","method":"get","path":"/api/admin/stats","secured":true,"answer":"json"},
  'admin.listJobs': {"group":"admin","name":"listJobs","method":"get","path":"/api/admin/jobs","secured":true,"answer":"json","paging":{"by":"page","items":"jobs"}},
  'admin.listUsers': {"group":"admin","name":"listUsers","method":"get","path":"/api/admin/users","secured":true,"answer":"json","paging":{"by":"page","items":"users"}},
  'admin.inviteUser': {"group":"admin","name":"inviteUser","method":"post","path":"/api/admin/users","secured":true,"answer":"json"},
  'admin.inviteUserAgain': {"group":"admin","name":"inviteUserAgain","method":"post","path":"/api/admin/users/{userId}/invitation","secured":true,"answer":"json"},
  'admin.createPasswordReset': {"group":"admin","name":"createPasswordReset","method":"post","path":"/api/admin/users/{userId}/password-reset","secured":true,"answer":"json"},
  'admin.getUser': {"group":"admin","name":"getUser","method":"get","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'admin.deleteUser': {"group":"admin","name":"deleteUser","method":"delete","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
  'admin.updateUser': {"group":"admin","name":"updateUser","method":"patch","path":"/api/admin/users/{userId}","secured":true,"answer":"json"},
} as const;

/** One method for each operation, grouped by resource. */
export interface Api {
  readonly jobs: {
    /**
     * List your jobs, newest first
     *
     * `GET /api/jobs`
     */
    readonly list: Method<'jobs.list'>;
    /**
     * Stream live updates of all your jobs
     *
     * `GET /api/jobs/events`
     */
    readonly streamAll: Method<'jobs.streamAll'>;
    /**
     * Get a job with its payload and queue state
     *
     * `GET /api/jobs/{jobId}`
     */
    readonly get: Method<'jobs.get'>;
    /**
     * Cancel a job
     *
     * `DELETE /api/jobs/{jobId}`
     */
    readonly cancel: Method<'jobs.cancel'>;
    /**
     * Stream live updates of a job
     *
     * `GET /api/jobs/{jobId}/events`
     */
    readonly streamOne: Method<'jobs.streamOne'>;
    /**
     * Take up a failed or cancelled job again
     *
     * `POST /api/jobs/{jobId}/resume`
     */
    readonly resume: Method<'jobs.resume'>;
    /**
     * Start a job over the items that failed in a completed one
     *
     * `POST /api/jobs/{jobId}/retry-failed`
     */
    readonly retryFailed: Method<'jobs.retryFailed'>;
    /**
     * See whether a job can be undone
     *
     * `GET /api/jobs/{jobId}/undo`
     */
    readonly getUndo: Method<'jobs.getUndo'>;
    /**
     * Undo a job
     *
     * `POST /api/jobs/{jobId}/undo`
     */
    readonly undo: Method<'jobs.undo'>;
  };
  readonly audit: {
    /**
     * List your audit log, newest first
     *
     * `GET /api/audit`
     */
    readonly list: Method<'audit.list'>;
    /**
     * Export your audit log as CSV, newest first
     *
     * `GET /api/audit/export`
     */
    readonly exportCsv: Method<'audit.exportCsv'>;
  };
  readonly admin: {
    /**
     * List the audit log of the installation, newest first
     *
     * `GET /api/admin/audit`
     */
    readonly listAudit: Method<'admin.listAudit'>;
    /**
     * Export the audit log of the installation as CSV, newest first
     *
     * `GET /api/admin/audit/export`
     */
    readonly exportAudit: Method<'admin.exportAudit'>;
    /**
     * Check all archives now
     *
     * `POST /api/admin/integrity/check`
     */
    readonly checkIntegrity: Method<'admin.checkIntegrity'>;
    /**
     * Get figures about the installation
     *
     * `GET /api/admin/stats`
     */
    readonly getStats: Method<'admin.getStats'>;
    /**
     * List the jobs of all users, newest first
     *
     * `GET /api/admin/jobs`
     */
    readonly listJobs: Method<'admin.listJobs'>;
    /**
     * List the users, newest first
     *
     * `GET /api/admin/users`
     */
    readonly listUsers: Method<'admin.listUsers'>;
    /**
     * Add a user
     *
     * `POST /api/admin/users`
     */
    readonly inviteUser: Method<'admin.inviteUser'>;
    /**
     * Invite a user again
     *
     * `POST /api/admin/users/{userId}/invitation`
     */
    readonly inviteUserAgain: Method<'admin.inviteUserAgain'>;
    /**
     * Make a link with which a user chooses another password
     *
     * `POST /api/admin/users/{userId}/password-reset`
     */
    readonly createPasswordReset: Method<'admin.createPasswordReset'>;
    /**
     * Get a user, their mailboxes and their last 20 jobs
     *
     * `GET /api/admin/users/{userId}`
     */
    readonly getUser: Method<'admin.getUser'>;
    /**
     * Delete a user and all their data
     *
     * `DELETE /api/admin/users/{userId}`
     */
    readonly deleteUser: Method<'admin.deleteUser'>;
    /**
     * Change the role, the activation or the limits of a user
     *
     * `PATCH /api/admin/users/{userId}`
     */
    readonly updateUser: Method<'admin.updateUser'>;
  };
  readonly sessions: {
    /**
     * List your sessions, the one used last first
     *
     * `GET /api/auth/sessions`
     */
    readonly list: Method<'sessions.list'>;
    /**
     * End all your other sessions
     *
     * `DELETE /api/auth/sessions`
     */
    readonly endOthers: Method<'sessions.endOthers'>;
    /**
     * End a session
     *
     * `DELETE /api/auth/sessions/{sessionId}`
     */
    readonly end: Method<'sessions.end'>;
  };
  readonly apiKeys: {
    /**
     * List your API keys, newest first
     *
     * `GET /api/auth/api-keys`
     */
    readonly list: Method<'apiKeys.list'>;
    /**
     * Create an API key
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
  readonly twoFactor: {
    /**
     * Get the state of two-factor sign-in
     *
     * `GET /api/auth/2fa`
     */
    readonly getStatus: Method<'twoFactor.getStatus'>;
    /**
     * Create a secret for an authenticator app
     *
     * `POST /api/auth/2fa/setup`
     */
    readonly setUp: Method<'twoFactor.setUp'>;
    /**
     * Switch two-factor sign-in on
     *
     * `POST /api/auth/2fa/enable`
     */
    readonly enable: Method<'twoFactor.enable'>;
    /**
     * Switch two-factor sign-in off
     *
     * `POST /api/auth/2fa/disable`
     */
    readonly disable: Method<'twoFactor.disable'>;
    /**
     * Create new recovery codes
     *
     * `POST /api/auth/2fa/recovery-codes`
     */
    readonly renewRecoveryCodes: Method<'twoFactor.renewRecoveryCodes'>;
  };
  readonly auth: {
    /**
     * Register a user and sign them in
     *
     * `POST /api/auth/register`
     */
    readonly register: Method<'auth.register'>;
    /**
     * Sign in with a password
     *
     * `POST /api/auth/login`
     */
    readonly login: Method<'auth.login'>;
    /**
     * Exchange a refresh token for a new pair of tokens
     *
     * `POST /api/auth/refresh`
     */
    readonly refresh: Method<'auth.refresh'>;
    /**
     * End the session
     *
     * `POST /api/auth/logout`
     */
    readonly logout: Method<'auth.logout'>;
    /**
     * Change your password
     *
     * `POST /api/auth/password`
     */
    readonly changePassword: Method<'auth.changePassword'>;
    /**
     * Read an invitation
     *
     * `POST /api/auth/invitation`
     */
    readonly readInvitation: Method<'auth.readInvitation'>;
    /**
     * Accept an invitation and sign in
     *
     * `POST /api/auth/invitation/accept`
     */
    readonly acceptInvitation: Method<'auth.acceptInvitation'>;
    /**
     * Read a link for another password
     *
     * `POST /api/auth/password-reset`
     */
    readonly readPasswordReset: Method<'auth.readPasswordReset'>;
    /**
     * Choose another password by a link
     *
     * `POST /api/auth/password-reset/complete`
     */
    readonly completePasswordReset: Method<'auth.completePasswordReset'>;
    /**
     * Get the sign-in options
     *
     * `GET /api/auth/config`
     */
    readonly config: Method<'auth.config'>;
    /**
     * Get the signed-in user and their mailbox accounts
     *
     * `GET /api/auth/me`
     */
    readonly me: Method<'auth.me'>;
    /**
     * Change your name
     *
     * `PATCH /api/auth/me`
     */
    readonly updateMe: Method<'auth.updateMe'>;
    /**
     * Get the display preferences
     *
     * `GET /api/auth/preferences`
     */
    readonly getPreferences: Method<'auth.getPreferences'>;
    /**
     * Change the display preferences
     *
     * `PATCH /api/auth/preferences`
     */
    readonly updatePreferences: Method<'auth.updatePreferences'>;
  };
  readonly singleSignOn: {
    /**
     * Start linking your user to the identity provider
     *
     * `POST /api/auth/oidc/link`
     */
    readonly link: Method<'singleSignOn.link'>;
    /**
     * Unlink your user from the identity provider
     *
     * `POST /api/auth/oidc/unlink`
     */
    readonly unlink: Method<'singleSignOn.unlink'>;
  };
  readonly passkeys: {
    /**
     * List your passkeys, newest first
     *
     * `GET /api/auth/passkeys`
     */
    readonly list: Method<'passkeys.list'>;
    /**
     * Add a passkey
     *
     * `POST /api/auth/passkeys`
     */
    readonly add: Method<'passkeys.add'>;
    /**
     * Begin to add a passkey
     *
     * `POST /api/auth/passkeys/options`
     */
    readonly beginAdding: Method<'passkeys.beginAdding'>;
    /**
     * Delete a passkey
     *
     * `DELETE /api/auth/passkeys/{passkeyId}`
     */
    readonly delete: Method<'passkeys.delete'>;
    /**
     * Rename a passkey
     *
     * `PATCH /api/auth/passkeys/{passkeyId}`
     */
    readonly rename: Method<'passkeys.rename'>;
    /**
     * Begin to sign in with a passkey
     *
     * `POST /api/auth/passkeys/sign-in/options`
     */
    readonly beginSignIn: Method<'passkeys.beginSignIn'>;
    /**
     * Sign in with a passkey
     *
     * `POST /api/auth/passkeys/sign-in`
     */
    readonly signIn: Method<'passkeys.signIn'>;
  };
  readonly notifications: {
    /**
     * Get the notification preferences
     *
     * `GET /api/notifications/preferences`
     */
    readonly getPreferences: Method<'notifications.getPreferences'>;
    /**
     * Change the notification preferences
     *
     * `PUT /api/notifications/preferences`
     */
    readonly updatePreferences: Method<'notifications.updatePreferences'>;
    /**
     * Stream toasts as server-sent events
     *
     * `GET /api/notifications/events`
     */
    readonly streamToasts: Method<'notifications.streamToasts'>;
    /**
     * List your notifications, newest first
     *
     * `GET /api/notifications`
     */
    readonly list: Method<'notifications.list'>;
    /**
     * Delete all read notifications
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
     * List your webhooks, newest first
     *
     * `GET /api/webhooks`
     */
    readonly list: Method<'webhooks.list'>;
    /**
     * Create a webhook
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
     * Send a sample job.completed event to a webhook
     *
     * `POST /api/webhooks/{webhookId}/test`
     */
    readonly test: Method<'webhooks.test'>;
    /**
     * List the deliveries of a webhook, newest first
     *
     * `GET /api/webhooks/{webhookId}/deliveries`
     */
    readonly listDeliveries: Method<'webhooks.listDeliveries'>;
  };
  readonly mailboxAccounts: {
    /**
     * Create an archive without a mailbox
     *
     * `POST /api/auth/mailbox/archives`
     */
    readonly createArchive: Method<'mailboxAccounts.createArchive'>;
    /**
     * Disconnect a mailbox
     *
     * `DELETE /api/auth/mailbox/{accountId}`
     */
    readonly disconnect: Method<'mailboxAccounts.disconnect'>;
    /**
     * Rename an archive without a mailbox
     *
     * `PATCH /api/auth/mailbox/{accountId}`
     */
    readonly renameArchive: Method<'mailboxAccounts.renameArchive'>;
    /**
     * Switch a mailbox account off or on
     *
     * `PATCH /api/auth/mailbox/{accountId}/toggle`
     */
    readonly toggle: Method<'mailboxAccounts.toggle'>;
    /**
     * Start connecting a mailbox
     *
     * `GET /api/auth/mailbox/connect`
     */
    readonly connect: Method<'mailboxAccounts.connect'>;
    /**
     * Start connecting a mailbox with a code
     *
     * `POST /api/auth/mailbox/device`
     */
    readonly connectDevice: Method<'mailboxAccounts.connectDevice'>;
    /**
     * Get the state of a consent with a code
     *
     * `GET /api/auth/mailbox/device/{consentId}`
     */
    readonly getDeviceConsent: Method<'mailboxAccounts.getDeviceConsent'>;
  };
  readonly mailbox: {
    /**
     * Get the profile of a mailbox
     *
     * `GET /api/mailbox/{accountId}/profile`
     */
    readonly getProfile: Method<'mailbox.getProfile'>;
    /**
     * List the ids of messages that match a query
     *
     * `GET /api/mailbox/{accountId}/messages`
     */
    readonly listMessages: Method<'mailbox.listMessages'>;
    /**
     * Get the metadata of up to 100 messages
     *
     * `POST /api/mailbox/{accountId}/messages/batch`
     */
    readonly getMessages: Method<'mailbox.getMessages'>;
    /**
     * Get the metadata of a message
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}`
     */
    readonly getMessage: Method<'mailbox.getMessage'>;
    /**
     * Get a full message in the provider’s own format
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/full`
     */
    readonly getFullMessage: Method<'mailbox.getFullMessage'>;
    /**
     * Download a live message as EML
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/eml`
     */
    readonly downloadEml: Method<'mailbox.downloadEml'>;
    /**
     * Download an attachment of a live message
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/attachments/{partId}`
     */
    readonly downloadAttachment: Method<'mailbox.downloadAttachment'>;
    /**
     * List the labels of a mailbox
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
     * Delete a label and remove it from its messages
     *
     * `DELETE /api/mailbox/{accountId}/labels/{labelId}`
     */
    readonly deleteLabel: Method<'mailbox.deleteLabel'>;
    /**
     * Freeze the messages that a query finds now
     *
     * `POST /api/mailbox/{accountId}/selections`
     */
    readonly createSelection: Method<'mailbox.createSelection'>;
    /**
     * Change many messages
     *
     * `POST /api/mailbox/{accountId}/messages/bulk`
     */
    readonly startBulkOperation: Method<'mailbox.startBulkOperation'>;
    /**
     * Get a live message as safe HTML
     *
     * `GET /api/mailbox/{accountId}/messages/{messageId}/safe-html`
     */
    readonly readSafeHtml: Method<'mailbox.readSafeHtml'>;
    /**
     * Get a live message with its remote images
     *
     * `POST /api/mailbox/{accountId}/messages/{messageId}/remote-images`
     */
    readonly loadRemoteImages: Method<'mailbox.loadRemoteImages'>;
  };
  readonly liveUpdates: {
    /**
     * Stream jobs, toasts and mailbox accounts as server-sent events
     *
     * `GET /api/events`
     */
    readonly stream: Method<'liveUpdates.stream'>;
  };
  readonly imapAccounts: {
    /**
     * Find the IMAP servers of an address
     *
     * `POST /api/auth/mailbox/imap/discover`
     */
    readonly discover: Method<'imapAccounts.discover'>;
    /**
     * Test the login to a mailbox by IMAP, without connecting it
     *
     * `POST /api/auth/mailbox/imap/test`
     */
    readonly test: Method<'imapAccounts.test'>;
    /**
     * Connect a mailbox by IMAP
     *
     * `POST /api/auth/mailbox/imap`
     */
    readonly connect: Method<'imapAccounts.connect'>;
    /**
     * Get the IMAP server of a mailbox
     *
     * `GET /api/auth/mailbox/{accountId}/imap`
     */
    readonly get: Method<'imapAccounts.get'>;
    /**
     * Change the IMAP server of a mailbox, or the roles of its folders
     *
     * `PATCH /api/auth/mailbox/{accountId}/imap`
     */
    readonly update: Method<'imapAccounts.update'>;
  };
  readonly savedSearches: {
    /**
     * List your saved searches in order
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
     * Reorder your saved searches
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
  readonly archive: {
    /**
     * Archive messages as EML
     *
     * `POST /api/archive/{accountId}/archive`
     */
    readonly archiveMessages: Method<'archive.archiveMessages'>;
    /**
     * List and search archived mails, newest first unless sorted
     *
     * `GET /api/archive/{accountId}/mails`
     */
    readonly listMails: Method<'archive.listMails'>;
    /**
     * Get an archived mail
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
     * Count archived mails by label, sender and month of their `date`
     *
     * `GET /api/archive/{accountId}/facets`
     */
    readonly getFacets: Method<'archive.getFacets'>;
    /**
     * Forecast the archiving of a whole mailbox
     *
     * `GET /api/archive/{accountId}/forecast`
     */
    readonly getForecast: Method<'archive.getForecast'>;
    /**
     * Search the archives of all your mailboxes, newest first unless sorted
     *
     * `GET /api/archive/search`
     */
    readonly search: Method<'archive.search'>;
    /**
     * List and search archived threads, latest first
     *
     * `GET /api/archive/{accountId}/threads`
     */
    readonly listThreads: Method<'archive.listThreads'>;
    /**
     * Get a thread
     *
     * `GET /api/archive/{accountId}/threads/{threadId}`
     */
    readonly getThread: Method<'archive.getThread'>;
    /**
     * Delete archived mails for good
     *
     * `POST /api/archive/{accountId}/delete`
     */
    readonly deleteMails: Method<'archive.deleteMails'>;
    /**
     * Count archived mails and attachments by what is indexed of them
     *
     * `GET /api/archive/{accountId}/index`
     */
    readonly getIndex: Method<'archive.getIndex'>;
    /**
     * List the mails or attachments of a class of the index
     *
     * `GET /api/archive/{accountId}/index/items`
     */
    readonly listIndexItems: Method<'archive.listIndexItems'>;
    /**
     * Index again what could not be indexed as a whole
     *
     * `POST /api/archive/{accountId}/index/retry`
     */
    readonly retryIndexing: Method<'archive.retryIndexing'>;
    /**
     * Export archived mails as ZIP
     *
     * `POST /api/archive/{accountId}/export-zip`
     */
    readonly exportZip: Method<'archive.exportZip'>;
    /**
     * Export archived mails as a mailbox that other programs read
     *
     * `POST /api/archive/{accountId}/export-mailbox`
     */
    readonly exportMailbox: Method<'archive.exportMailbox'>;
    /**
     * Prepare an export for download
     *
     * `POST /api/archive/{accountId}/exports`
     */
    readonly prepareExport: Method<'archive.prepareExport'>;
    /**
     * Download a prepared export
     *
     * `GET /api/archive/{accountId}/exports/{exportId}`
     */
    readonly downloadExport: Method<'archive.downloadExport'>;
    /**
     * Get what the checks of the archive have found
     *
     * `GET /api/archive/{accountId}/integrity`
     */
    readonly getIntegrity: Method<'archive.getIntegrity'>;
  };
  readonly import: {
    /**
     * Export archived mails as mbox
     *
     * `POST /api/import/{accountId}/export-mbox`
     */
    readonly exportMbox: Method<'import.exportMbox'>;
    /**
     * Import a file into the archive
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
    /**
     * Forecast the import of a folder from an IMAP server
     *
     * `POST /api/import/{accountId}/imap/forecast`
     */
    readonly forecastImap: Method<'import.forecastImap'>;
    /**
     * List uploads that are not complete
     *
     * `GET /api/import/{accountId}/uploads`
     */
    readonly listUploads: Method<'import.listUploads'>;
    /**
     * Begin an upload that can be paused and resumed
     *
     * `POST /api/import/{accountId}/uploads`
     */
    readonly createUpload: Method<'import.createUpload'>;
    /**
     * Get an upload that is not complete
     *
     * `GET /api/import/{accountId}/uploads/{uploadId}`
     */
    readonly getUpload: Method<'import.getUpload'>;
    /**
     * Give up an upload that is not complete
     *
     * `DELETE /api/import/{accountId}/uploads/{uploadId}`
     */
    readonly deleteUpload: Method<'import.deleteUpload'>;
    /**
     * Send the next chunk of an upload
     *
     * `PATCH /api/import/{accountId}/uploads/{uploadId}`
     */
    readonly uploadChunk: Method<'import.uploadChunk'>;
    /**
     * Import an upload that is complete
     *
     * `POST /api/import/{accountId}/uploads/{uploadId}/complete`
     */
    readonly completeUpload: Method<'import.completeUpload'>;
  };
  readonly storage: {
    /**
     * Get the storage configuration
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
     * Test an object store by writing, reading and deleting an object
     *
     * `POST /api/storage/test-objstore`
     */
    readonly testObjectStore: Method<'storage.testObjectStore'>;
  };
  readonly journal: {
    /**
     * Get the address for copied mail
     *
     * `GET /api/journal/{accountId}`
     */
    readonly get: Method<'journal.get'>;
    /**
     * Turn on copied mail for a mailbox
     *
     * `PUT /api/journal/{accountId}`
     */
    readonly turnOn: Method<'journal.turnOn'>;
    /**
     * Turn off copied mail for a mailbox
     *
     * `DELETE /api/journal/{accountId}`
     */
    readonly turnOff: Method<'journal.turnOff'>;
    /**
     * Replace the address for copied mail
     *
     * `POST /api/journal/{accountId}/replace`
     */
    readonly replaceAddress: Method<'journal.replaceAddress'>;
  };
  readonly retention: {
    /**
     * List your retention policies, newest first
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
     * Run all your active retention policies now
     *
     * `POST /api/retention/run`
     */
    readonly run: Method<'retention.run'>;
    /**
     * Preview what a retention policy would delete
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
  readonly attachments: {
    /**
     * List the attachments of archived mail
     *
     * `GET /api/attachments/{accountId}/archived`
     */
    readonly listArchivedAttachments: Method<'attachments.listArchivedAttachments'>;
    /**
     * List large attachments in the live mailbox
     *
     * `GET /api/attachments/{accountId}/live`
     */
    readonly listLiveAttachments: Method<'attachments.listLiveAttachments'>;
  };
  readonly search: {
    /**
     * Suggest people and labels for a search that is being typed
     *
     * `GET /api/search/suggestions`
     */
    readonly suggest: Method<'search.suggest'>;
    /**
     * Search live mail and archives as one list
     *
     * `GET /api/search`
     */
    readonly search: Method<'search.search'>;
  };
  readonly privacy: {
    /**
     * Get how much of the mailbox is tracked
     *
     * `GET /api/privacy/{accountId}/tracking/stats`
     */
    readonly getTrackingStats: Method<'privacy.getTrackingStats'>;
    /**
     * List messages with trackers, newest first
     *
     * `GET /api/privacy/{accountId}/tracking`
     */
    readonly listTracking: Method<'privacy.listTracking'>;
    /**
     * Scan the newest messages for tracking pixels
     *
     * `POST /api/privacy/{accountId}/tracking/scan`
     */
    readonly startTrackingScan: Method<'privacy.startTrackingScan'>;
    /**
     * Get how much personal data the archive holds
     *
     * `GET /api/privacy/{accountId}/pii/stats`
     */
    readonly getPiiStats: Method<'privacy.getPiiStats'>;
    /**
     * List mails with personal data, newest first
     *
     * `GET /api/privacy/{accountId}/pii`
     */
    readonly listPiiFindings: Method<'privacy.listPiiFindings'>;
    /**
     * Scan the archive for personal data
     *
     * `POST /api/privacy/{accountId}/pii/scan`
     */
    readonly startPiiScan: Method<'privacy.startPiiScan'>;
    /**
     * Set the encryption passphrase
     *
     * `POST /api/privacy/encryption/setup`
     */
    readonly setUpEncryption: Method<'privacy.setUpEncryption'>;
    /**
     * Check the encryption passphrase
     *
     * `POST /api/privacy/encryption/verify`
     */
    readonly verifyPassphrase: Method<'privacy.verifyPassphrase'>;
    /**
     * Get how much of an archive is encrypted
     *
     * `GET /api/privacy/{accountId}/encryption/status`
     */
    readonly getEncryptionStatus: Method<'privacy.getEncryptionStatus'>;
    /**
     * Decrypt a mail for reading
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
     * Get an archived mail as safe HTML
     *
     * `GET /api/archive/{accountId}/mails/{mailId}/safe-html`
     */
    readonly readSafeHtml: Method<'privacy.readSafeHtml'>;
    /**
     * Get an archived mail with its remote images
     *
     * `POST /api/archive/{accountId}/mails/{mailId}/remote-images`
     */
    readonly loadRemoteImages: Method<'privacy.loadRemoteImages'>;
  };
  readonly rules: {
    /**
     * List the rule templates
     *
     * `GET /api/rules/templates`
     */
    readonly listTemplates: Method<'rules.listTemplates'>;
    /**
     * List the rules of a mailbox, newest first
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
     * Preview what conditions would find
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
     * Run a rule now
     *
     * `POST /api/rules/{accountId}/{ruleId}/run`
     */
    readonly run: Method<'rules.run'>;
  };
  readonly newsletters: {
    /**
     * Scan the whole mailbox for newsletters
     *
     * `POST /api/unsubscribe/{accountId}/scan`
     */
    readonly scan: Method<'newsletters.scan'>;
    /**
     * List newsletter senders, most messages first
     *
     * `GET /api/unsubscribe/{accountId}/newsletters`
     */
    readonly list: Method<'newsletters.list'>;
    /**
     * List the newsletters of a sender
     *
     * `GET /api/unsubscribe/{accountId}/newsletters/{senderEmail}/messages`
     */
    readonly listMessages: Method<'newsletters.listMessages'>;
    /**
     * Trash or delete the newsletters of a sender
     *
     * `POST /api/unsubscribe/{accountId}/newsletters/{senderEmail}/delete`
     */
    readonly delete: Method<'newsletters.delete'>;
  };
  readonly dashboard: {
    /**
     * Get figures about the live mailbox
     *
     * `GET /api/dashboard/{accountId}/stats`
     */
    readonly getMailboxStats: Method<'dashboard.getMailboxStats'>;
    /**
     * Get figures about the archive
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
     * Get the hours at which mail arrives
     *
     * `GET /api/analytics/{accountId}/heatmap`
     */
    readonly getHeatmap: Method<'analytics.getHeatmap'>;
    /**
     * Get how much each sender clutters the mailbox
     *
     * `GET /api/analytics/{accountId}/sender-scores`
     */
    readonly getSenderScores: Method<'analytics.getSenderScores'>;
    /**
     * Get cleanup suggestions
     *
     * `GET /api/analytics/{accountId}/cleanup-suggestions`
     */
    readonly getCleanupSuggestions: Method<'analytics.getCleanupSuggestions'>;
    /**
     * Get the size of the inbox over time
     *
     * `GET /api/analytics/{accountId}/inbox-zero`
     */
    readonly getInboxZero: Method<'analytics.getInboxZero'>;
    /**
     * Record the size of the inbox now
     *
     * `POST /api/analytics/{accountId}/inbox-zero/snapshot`
     */
    readonly takeInboxSnapshot: Method<'analytics.takeInboxSnapshot'>;
  };
  readonly quota: {
    /**
     * Get the provider quota and its use
     *
     * `GET /api/quota/{accountId}`
     */
    readonly getUsage: Method<'quota.getUsage'>;
    /**
     * Delete quota records older than 30 days
     *
     * `POST /api/quota/cleanup`
     */
    readonly cleanUp: Method<'quota.cleanUp'>;
  };
  readonly archiving: {
    /**
     * Get the settings and the state of continuous archiving
     *
     * `GET /api/archiving/{accountId}`
     */
    readonly get: Method<'archiving.get'>;
    /**
     * Change continuous archiving
     *
     * `PUT /api/archiving/{accountId}`
     */
    readonly update: Method<'archiving.update'>;
    /**
     * Compare the ledger with the mailbox now
     *
     * `POST /api/archiving/{accountId}/reconcile`
     */
    readonly reconcile: Method<'archiving.reconcile'>;
  };
  readonly coverage: {
    /**
     * Get what became of each message
     *
     * `GET /api/coverage/{accountId}`
     */
    readonly get: Method<'coverage.get'>;
    /**
     * List the messages of a class
     *
     * `GET /api/coverage/{accountId}/messages`
     */
    readonly listMessages: Method<'coverage.listMessages'>;
    /**
     * Get what became of a message
     *
     * `GET /api/coverage/{accountId}/messages/{messageId}`
     */
    readonly getMessage: Method<'coverage.getMessage'>;
    /**
     * Ask which messages may be deleted from the mailbox
     *
     * `POST /api/coverage/{accountId}/deletable`
     */
    readonly askDeletable: Method<'coverage.askDeletable'>;
  };
  readonly restore: {
    /**
     * List the restores of an archive, newest first
     *
     * `GET /api/restore/{accountId}`
     */
    readonly listRestores: Method<'restore.listRestores'>;
    /**
     * Plan a restore
     *
     * `POST /api/restore/{accountId}`
     */
    readonly planRestore: Method<'restore.planRestore'>;
    /**
     * Get a restore
     *
     * `GET /api/restore/{accountId}/{restoreId}`
     */
    readonly getRestore: Method<'restore.getRestore'>;
    /**
     * List the mails of a restore, oldest first
     *
     * `GET /api/restore/{accountId}/{restoreId}/items`
     */
    readonly listRestoreItems: Method<'restore.listRestoreItems'>;
    /**
     * Download the report of a restore
     *
     * `GET /api/restore/{accountId}/{restoreId}/report`
     */
    readonly downloadRestoreReport: Method<'restore.downloadRestoreReport'>;
    /**
     * Start a restore
     *
     * `POST /api/restore/{accountId}/{restoreId}/start`
     */
    readonly startRestore: Method<'restore.startRestore'>;
  };
  readonly offload: {
    /**
     * List the keys with which this installation signs, oldest first
     *
     * `GET /api/offload/keys`
     */
    readonly listSigningKeys: Method<'offload.listSigningKeys'>;
    /**
     * List offload plans, newest first
     *
     * `GET /api/offload/{accountId}/plans`
     */
    readonly listPlans: Method<'offload.listPlans'>;
    /**
     * Plan which messages can leave the mailbox
     *
     * `POST /api/offload/{accountId}/plans`
     */
    readonly createPlan: Method<'offload.createPlan'>;
    /**
     * Get an offload plan
     *
     * `GET /api/offload/{accountId}/plans/{planId}`
     */
    readonly getPlan: Method<'offload.getPlan'>;
    /**
     * Delete an offload plan for which nothing was moved
     *
     * `DELETE /api/offload/{accountId}/plans/{planId}`
     */
    readonly deletePlan: Method<'offload.deletePlan'>;
    /**
     * List the messages of an offload plan, in its order
     *
     * `GET /api/offload/{accountId}/plans/{planId}/messages`
     */
    readonly listPlanMessages: Method<'offload.listPlanMessages'>;
    /**
     * Confirm an offload plan
     *
     * `POST /api/offload/{accountId}/plans/{planId}/confirm`
     */
    readonly confirmPlan: Method<'offload.confirmPlan'>;
    /**
     * List offload receipts, newest first
     *
     * `GET /api/offload/{accountId}/receipts`
     */
    readonly listReceipts: Method<'offload.listReceipts'>;
    /**
     * Get the receipt of an offload
     *
     * `GET /api/offload/{accountId}/receipts/{planId}`
     */
    readonly getReceipt: Method<'offload.getReceipt'>;
    /**
     * Get the messages that a receipt is about
     *
     * `GET /api/offload/{accountId}/receipts/{planId}/items`
     */
    readonly getReceiptItems: Method<'offload.getReceiptItems'>;
    /**
     * Get the nightly offload of a mailbox
     *
     * `GET /api/offload/{accountId}/schedule`
     */
    readonly getSchedule: Method<'offload.getSchedule'>;
    /**
     * Set the nightly offload of a mailbox
     *
     * `PUT /api/offload/{accountId}/schedule`
     */
    readonly setSchedule: Method<'offload.setSchedule'>;
  };
  readonly health: {
    /**
     * Check that the process is alive
     *
     * `GET /health/live`
     */
    readonly live: Method<'health.live'>;
    /**
     * Check that database, Redis and storage are available
     *
     * `GET /health/ready`
     */
    readonly ready: Method<'health.ready'>;
  };
}
