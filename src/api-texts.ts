import type { ApiTexts } from './openapi-document';

const ID = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

/** What the OpenAPI document says about groups of operations and about ids in paths. */
export const API_TEXTS: ApiTexts = {
  tags: {
    auth: 'Registering, signing in, sessions, and API keys for programs.',
    'two-factor': 'One-time codes for signing in, and recovery codes.',
    'single-sign-on': 'Signing in at an OpenID Connect provider.',
    'mailbox-accounts': 'Connecting and disconnecting mailboxes.',
    mailbox: 'The live mailbox at its provider: messages, labels and bulk operations.',
    'saved-searches': 'Queries that a user keeps.',
    archive: 'Messages kept as EML: archiving, search, threads, downloads and export.',
    import: 'Mail from mbox files and IMAP servers into the archive, and back as mbox.',
    attachments: 'Files in archived and in live mail.',
    analytics: 'Activity, senders that clutter, suggestions for cleaning up, and inbox zero.',
    dashboard: 'Figures about a mailbox and its archive at a glance.',
    newsletters: 'Senders with List-Unsubscribe headers, and deleting what they sent.',
    rules: 'Conditions with an action, run on demand or on a schedule.',
    privacy: 'Trackers, personal data, encryption of the archive, and safe display of mail.',
    retention: 'Policies that remove old mail from the archive.',
    storage: 'Where the archive is kept: on disk or in an object store.',
    quota: 'What an account spends at the provider’s API.',
    jobs: 'Work in the background: its state, its result, live, and cancelling it.',
    webhooks: 'Events sent to addresses of the user’s, and their deliveries.',
    notifications: 'Events shown in the application, live too, and which of them.',
    audit: 'What the caller did, and what was done with what is theirs.',
    admin: 'The installation: its users, their jobs, its audit log and its integrity.',
    operations: 'Probes for orchestrators.',
  },
  pathParameters: {
    accountId: { description: 'A mailbox account of the caller.', example: ID },
    attachmentId: { description: 'An attachment of an archived mail.', example: ID },
    keyId: { description: 'An API key of the caller.', example: ID },
    labelId: { description: 'A label, by the id the mail provider gave it.', example: 'Label_12' },
    mailId: { description: 'An archived mail.', example: ID },
    messageId: {
      description: 'A message, by the id the mail provider gave it.',
      example: '18c2f1a9b3d4e5f6',
    },
    notificationId: { description: 'A notification of the caller.', example: ID },
    partId: { description: 'A part of the message, as its full form has it.', example: '1.2' },
    policyId: { description: 'A retention policy of the caller.', example: ID },
    ruleId: { description: 'A rule of the account.', example: ID },
    searchId: { description: 'A saved search of the caller.', example: ID },
    suggestionId: { description: 'A cleanup suggestion for an account of the caller.', example: ID },
    threadId: { description: 'A thread, by the id its mails have.', example: '18c2f1a9b3d4e5f6' },
    userId: { description: 'A user of the installation.', example: ID },
    webhookId: { description: 'A webhook of the caller.', example: ID },
  },
};
