/** Texts of problems, by code of the service. For a code without a text here, the service's own text is shown. */
export const problems = {
  title: 'That did not work',
  details: 'Details',
  code: 'Code {{code}}',
  requestId: 'Request {{id}}',
  retryIn: 'Trying again in {{time}}.',
  reconnect: 'Connect the mailbox again',
  codes: {
    offline: 'The service cannot be reached. Check your connection; what is loaded stays here.',
    unexpected: 'This page made a mistake. Reload it, and tell your administrator if it happens again.',
    'file-unreadable':
      'The file cannot be read any more. It may have been moved, changed or deleted: cancel this, and choose it again.',
    unauthorized: 'Your session is over. Sign in again.',
    'invalid-refresh-token': 'Your session is over. Sign in again.',
    'invalid-credentials': 'The e-mail address or the password is wrong.',
    'totp-required': 'Enter the code of your authenticator app.',
    'totp-invalid': 'This code is wrong or was used already. Wait for the next one.',
    'passkey-refused': 'This passkey does not open an account here. Sign in with your password.',
    'passkey-invalid': 'The passkey could not be checked. Try again.',
    'passkey-limit': 'You have 20 passkeys. Delete one first.',
    'password-invalid': 'This is not your password.',
    'registration-closed': 'Registration is closed here. Ask your administrator for an account.',
    'email-taken': 'There is an account with this e-mail address already. Sign in instead.',
    'invitation-invalid':
      'This invitation is incomplete, was used or replaced, or has expired. Ask your administrator for a new one.',
    'password-reset-invalid':
      'This link is incomplete, was used, or has expired. Ask your administrator for a new one.',
    'user-has-signed-in': 'This user has a way to sign in already, or may not sign in.',
    'foreign-origin':
      'This page was opened at another address than the service expects. Open it at the address it is installed for.',
    'too-many-requests': 'Too many requests. Wait a moment.',
    'account-not-owned': 'This mailbox is no longer yours.',
    'admin-required': 'Only administrators may see this.',
    'message-not-found': 'This message is no longer there.',
    'copies-under-review':
      'The copies of this mailbox are being reviewed. It is compared with its archive afterwards.',
    'message-incomplete': 'The mail server lists this message but does not hand it out whole.',
    'message-mismatch': 'The mail server hands out another message in place of this one.',
    'message-too-large': 'This message is larger than 256 MiB, which is more than can be read.',
    'mail-not-found': 'This message is no longer in the archive.',
    'count-mismatch':
      'There is another number of messages now. Nothing was deleted. Check the number, and confirm it again.',
    'too-many-mails': 'These are too many messages for one request. Narrow the search, for example by dates.',
    'thread-not-found': 'This conversation is no longer in the archive.',
    'mail-not-rendered': 'This message could not be prepared for reading. It can be downloaded as it is.',
    'query-too-expensive': 'This search takes the service too long. Use more or longer words.',
    'mails-encrypted': 'This message is encrypted. Enter the passphrase of the archive.',
    'passphrase-invalid': 'This is not the passphrase of the archive.',
    'upload-not-found':
      'The service does not have the beginning of this file any more. Tried again, it is sent from the start.',
    'upload-busy': 'Another tab or program is sending this file.',
    'upload-too-large': 'This file is larger than this installation takes.',
    'too-many-uploads': 'Other files wait for their import. This one follows.',
    'quota-exceeded':
      'Your storage has no room for this file. Delete archived mail, or ask an administrator for more.',
    'insufficient-storage': 'The server has no room for this file at the moment. Tell your administrator.',
    'import-file-missing': 'The file that was uploaded is gone. Upload it again.',
    'export-not-found': 'This download is over. Prepare it again.',
    'label-not-found': 'This label is no longer there.',
    'label-exists': 'There is a label with this name already.',
    'job-not-found': 'This job is no longer there.',
    'job-finished': 'The job had ended already.',
    'job-not-finished': 'The job has not ended yet. Cancel it first, or wait.',
    'job-not-resumable': 'This job cannot be resumed. Start it again: it skips what is done.',
    'job-not-retryable':
      'What failed cannot be tried again on its own. Start the job again: it skips what is done.',
    'too-many-jobs':
      'Too many of your jobs are waiting or running. Wait until some have ended, or cancel some.',
    'not-undoable': 'This cannot be undone.',
    'nothing-changed': 'Nothing was changed, so there is nothing to undo.',
    'undo-expired': 'It ended too long ago to be undone.',
    'already-undone': 'It was undone already, or is being undone.',
    'selection-too-large':
      'More than 50,000 messages match. Narrow the search, for example with older_than:1y.',
    'search-term-unsupported':
      '“{{term}}” cannot be searched for. Write 14d, 5M or 2025/01/31, and labels as they are called.',
    'mailbox-reauth-required': 'The mail provider wants you to connect this mailbox again.',
    'mailbox-disconnected': 'This mailbox is switched off. Its archive stays readable.',
    'archive-without-mailbox': 'This archive has no mailbox. Mail gets into it by imports only.',
    'archive-exists': 'You already have an archive of that name.',
    'archive-limit': 'You cannot create another archive. Delete one first.',
    'mailbox-account-limit':
      'You cannot connect another mailbox. Disconnect one first, or ask an administrator for more.',
    'provider-not-configured':
      'No client is registered with this mail provider yet. An administrator can set one up.',
    'provider-rate-limited':
      'The mail provider can be asked no more at the moment: its limit is reached, or the pace that Mailroom keeps.',
    'provider-unavailable': 'The mail provider does not answer at the moment.',
    'service-unavailable': 'A part of the service is away at the moment.',
    'internal-error':
      'Something went wrong in the service. Try again. If it happens again, give your administrator what the details say.',
    'validation-failed': 'Some fields are not right.',
  },
  /** By the reason that the service names for a field. */
  reasons: {
    'password-common': 'Everybody tries this password first. Choose another one.',
    'password-address': 'This is your e-mail address, or a part of it. Choose another password.',
    'password-product': 'This is the name of this service. Choose another password.',
  },
} as const;
