/** Why a job has failed, by code of the service; `problems` has texts for others. */
export const jobFailures = {
  'address-refused': 'Connections to this address are not allowed here. An administrator can allow them.',
  'archive-busy': 'The same mail is being removed from the archive again and again. Try it again later.',
  'archive-directory-empty': 'The directory of the archive holds no archive. Is its disk mounted?',
  'archive-store-endless':
    'The object store of the archive is too slow, or its listing has no end. It may hold further files.',
  'archive-store-full': 'There is no space left where the archive is stored.',
  'archive-store-refused': '{{detail}}',
  'archive-store-unavailable': '{{detail}}',
  'archive-store-unknown': 'The store that holds this mail is not configured.',
  'archive-store-unreadable': 'The store of the archive cannot be read at the moment.',
  'archiving-off': 'Continuous archiving is off for this mailbox.',
  'encryption-not-configured': 'No passphrase is set up for the archive.',
  'import-unpacks-too-large':
    'The compressed file unpacks to far more than mail of its size can. The import was stopped.',
  'insufficient-storage': 'The server has no room for the mail at the moment.',
  'internal-error': 'The job stopped because of an unexpected error of the service.',
  'interrupted-by-restore':
    'The job was under way when the backup was taken from which Mailroom was restored. Start it again.',
  'job-process-lost':
    'The job was given up: three times the process that ran it, or a service it needs, was lost before anything was done.',
  'mailbox-account-gone': 'The mailbox has been removed.',
  'mailbox-purging': 'The archive of this mailbox is being deleted.',
  'mailbox-unsettled': 'The mailbox could not be compared with what is known of it: its history was lost.',
  'not-an-mbox-file': '{{detail}}',
  'offload-running':
    'Messages of this mailbox are being moved to the trash because the archive has them. Cancel that first, or wait.',
  'outcome-unknown': 'The mail provider may have made the change, but its answer was lost.',
  'passphrase-forgotten':
    'The passphrase that was given for this encryption is no longer available. Start the encryption again.',
  'plan-gone': 'The plan was deleted.',
  'provider-rejected': '{{detail}}',
  'quota-exceeded':
    'Your storage has no room for more mail. Delete archived mail, or ask an administrator for more.',
  'restore-done': 'The restore has been done.',
  'restore-running': 'The restore is running already.',
  'rule-gone': 'The rule was deleted before its run had ended.',
  'rule-label-gone': 'The rule names a label that the mailbox no longer has. Change the rule.',
  'selection-expired': 'The selection is no longer kept. Make it again.',
  'service-unavailable': 'A service that Mailroom needs was away. Start the job again.',
  'user-deactivated': 'The job was stopped because the user was deactivated.',
  'user-files-remain': '{{detail}}',
  'user-still-busy': 'Jobs of the user are still running. The deletion goes on within an hour.',
  'verification-too-slow':
    'The store of the archive is so slow that copies cannot be verified in time. Nothing more was moved.',
} as const;
