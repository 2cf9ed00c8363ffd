/** Texts of mail, wherever it is shown. */
export const mail = {
  noSubject: '(no subject)',
  hasAttachments: 'Has attachments',
  encrypted: 'Encrypted',
  onlyInArchive: 'Only in the archive: the mailbox has it no longer',
  dateDoubtful: 'Date doubtful: the message has no credible one, so this is that of its arrival',
  gone: 'This message is no longer there.',
  changing: 'A job is changing this message.',
  choose: 'Choose this message',
} as const;
