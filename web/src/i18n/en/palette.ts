export const palette = {
  title: 'Places and commands',
  placeholder: 'Where to, or what to do?',
  search: 'Search all mail for “{{words}}”',
  keys: 'Show the keys',
  groups: {
    page: 'The messages at hand',
    go: 'Go to',
    mailboxes: 'Mailboxes',
    do: 'Commands',
    search: 'Search',
  },
} as const;
