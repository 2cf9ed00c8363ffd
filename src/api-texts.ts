import type { ApiTexts } from './openapi-document';

const ID = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

/** Descriptions of operation groups and of path parameters in the OpenAPI document. */
export const API_TEXTS: ApiTexts = {
  tags: {
    auth: 'Registration, sign-in, sessions, and API keys for programs.',
    'two-factor': 'One-time codes for sign-in, and recovery codes.',
    'single-sign-on': 'Sign-in with an OpenID Connect provider.',
    'mailbox-accounts': 'Connecting and disconnecting mailboxes.',
    mailbox: 'The live mailbox at its provider: messages, labels and bulk operations.',
    'saved-searches': 'Stored queries.',
    archive: 'Mail archived as EML: archiving, search, threads, downloads and export.',
    import: 'Import from mbox files and IMAP servers, and export as mbox.',
    attachments: 'Attachments of archived and live mail.',
    analytics: 'Activity, sender scores, cleanup suggestions and inbox zero.',
    dashboard: 'Figures about a mailbox and its archive.',
    newsletters: 'Senders with List-Unsubscribe headers, and deletion of their messages.',
    rules: 'Conditions with an action, run on demand or on a schedule.',
    privacy: 'Tracking scan, personal-data scan, encryption of the archive, and safe HTML.',
    retention: 'Policies that delete old mail from the archive.',
    storage: 'Storage of the archive: on disk or in an object store.',
    quota: 'Use of the provider’s API quota.',
    jobs: 'Background jobs: state, progress, result and cancellation.',
    webhooks: 'Webhooks and their deliveries.',
    notifications: 'Notifications, toasts and preferences.',
    audit: 'The audit log of the signed-in user.',
    admin: 'Users, jobs, audit log and integrity of the installation.',
    operations: 'Probes for orchestrators.',
  },
  pathParameters: {
    accountId: { description: 'A mailbox account of the caller.', example: ID },
    attachmentId: { description: 'An attachment of an archived mail.', example: ID },
    exportId: { description: 'A prepared export of the caller.', example: ID },
    keyId: { description: 'An API key of the caller.', example: ID },
    labelId: { description: 'A label, by the mail provider’s id.', example: 'Label_12' },
    mailId: { description: 'An archived mail.', example: ID },
    messageId: {
      description: 'A message, by the mail provider’s id.',
      example: '18c2f1a9b3d4e5f6',
    },
    notificationId: { description: 'A notification of the caller.', example: ID },
    partId: { description: 'A part of the message, by its id in the full message.', example: '1.2' },
    policyId: { description: 'A retention policy of the caller.', example: ID },
    ruleId: { description: 'A rule of the account.', example: ID },
    searchId: { description: 'A saved search of the caller.', example: ID },
    suggestionId: { description: 'A cleanup suggestion for an account of the caller.', example: ID },
    threadId: { description: 'A thread, by the thread id of its mails.', example: '18c2f1a9b3d4e5f6' },
    uploadId: { description: 'An upload in chunks, of the caller.', example: ID },
    userId: { description: 'A user of the installation.', example: ID },
    webhookId: { description: 'A webhook of the caller.', example: ID },
  },
};
