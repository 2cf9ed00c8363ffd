/** The page of all jobs. */
export const jobList = {
  noneSuch: 'There are no such jobs.',
  older: 'Show older jobs',
  mostShown: 'These are the newest {{count, number}}.',
  filters: { status: 'Status', kind: 'Kind', mailbox: 'Mailbox', any: 'All' },
} as const;
