export const settings = {
  save: 'Save',
  saved: 'Saved.',
  copy: 'Copy',
  copied: 'Copied',
  profile: {
    title: 'Profile',
    name: 'Name',
    nameHelp: 'How you are called here. It may be empty.',
    account: 'Account',
    email: 'E-mail address',
    role: 'Role',
    roles: { user: 'User', admin: 'Administrator' },
    since: 'Here since',
    mailboxes: 'Connected mailboxes',
    storage: 'Archive',
    used: '{{used}} of {{most}}',
  },
} as const;
