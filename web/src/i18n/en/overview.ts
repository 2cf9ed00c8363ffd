export const overview = {
  title: 'Overview',
  inbox: 'In the inbox',
  unread: 'Unread in the inbox',
  messages: 'In the mailbox, with spam and trash',
  archived: 'In the archive',
  next: 'What next',
  empty: 'There is no mail in this mailbox.',
  steps: {
    clean: 'Clean up old promotions',
    cleanText: 'Choose what nobody reads any more, and move it to the trash or out of the inbox.',
    archive: 'Save what matters',
    archiveText: 'Keep messages and their files for good, searchable, even if the mailbox is lost.',
    read: 'Catch up on unread mail in the inbox',
    readText: 'Read safely: no tracker reports it, nothing is loaded from elsewhere.',
  },
} as const;
