export const overviewDetails = {
  fromAll_one: 'From the only message outside of spam and trash',
  fromAll_other: 'From all {{count, number}} messages outside of spam and trash',
  fromKnown_one:
    'From the {{count, number}} message that is known so far, of about {{total, number}} with spam and trash',
  fromKnown_other:
    'From the {{count, number}} messages that are known so far, of about {{total, number}} with spam and trash',
  senders: 'Who fills it',
  senderCount_one: '{{count, number}} message',
  senderCount_other: '{{count, number}} messages',
  biggest: 'Largest messages',
  months: 'By month',
} as const;
