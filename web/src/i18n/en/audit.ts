export const audit = {
  title: 'Audit log',
  intro:
    'What was done with your account and your mail: by whom, when, and from where. Entries cannot be changed.',
  outcome: 'Outcome',
  all: 'All',
  outcomes: { success: 'Done', failure: 'Refused' },
  none: 'There are no entries.',
  from: 'from {{address}}',
  actors: {
    user: 'You or another user',
    'api-key': 'An API key',
    operator: 'An operator on the command line',
    service: 'Mailroom itself',
    anonymous: 'Somebody who was not signed in',
    administrator: 'An administrator',
  },
} as const;
