export const journal = {
  title: 'Mail copied by a mail server',
  text: 'A mail server can copy each message to a secret address as it sends or receives it. The message is in the archive before the server hears that it was taken, blind copies included.',
  unavailable: 'This installation does not take copied mail. Its operator has to switch it on.',
  turnOn: 'Take copied mail',
  turnOff: 'Turn off',
  replace: 'Replace the address',
  address: 'Secret address',
  secret: 'Whoever knows the address can add mail to this archive: give it to your mail server only.',
  previous: 'Mail to the address before is taken until {{time}}.',
  received_one: '{{count, number}} message received ({{size}})',
  received_other: '{{count, number}} messages received ({{size}})',
  last: 'the last one {{time}}',
  nothing: 'Nothing has been received yet.',
  duplicates_one: '{{count, number}} was in the archive already',
  duplicates_other: '{{count, number}} were in the archive already',
  refused_one: '{{count, number}} attempt refused, the last one {{time}}: {{reason}}',
  refused_other: '{{count, number}} attempts refused, the last one {{time}}: {{reason}}',
  refusals: {
    'too-large': 'the message was too large.',
    loop: 'the message was going round in a loop.',
    busy: 'too much arrived at a time. Its sender tries again.',
    'disk-full': 'the disk was full. Its sender tries again.',
    'quota-exceeded': 'the storage quota was used up. Its sender tries again.',
    'store-unavailable': 'the archive’s store did not answer. Its sender tries again.',
    'database-unavailable': 'the database did not answer. Its sender tries again.',
    stopping: 'the service was being stopped. Its sender tries again.',
    failed: 'it could not be archived. Its sender tries again.',
  },
  format: 'Sent by the mail server',
  formats: {
    copies: 'Copies of messages (Postfix, Google)',
    'exchange-reports': 'Journal reports (Exchange)',
  },
  formatTexts: {
    copies: 'Each message is stored whole, as it came.',
    'exchange-reports':
      'The message is taken out of each report, and the recipients in the report are noted. Anyone can write a message that looks like a report, so choose this for Exchange only.',
  },
  recipes: 'How to have mail copied',
  postfix:
    'Postfix: always_bcc = {{address}} copies everything, recipient_bcc_maps and sender_bcc_maps single mailboxes.',
  exchange:
    'Exchange Online: a journal rule that sends its reports to {{address}}, and a connector to this server.',
  google: 'Google Workspace: under Gmail, Routing, add the recipient {{address}}.',
  replaceTitle: 'Replace the address?',
  replaceText:
    'The mail server has to be given the new address. Until it has it, mail to the old one may still be taken.',
  grace: 'Mail to the old address',
  graces: {
    '24': 'is taken for another day',
    '168': 'is taken for another week',
    '0': 'is refused from now on',
  },
  turnOffTitle: 'Turn off copied mail?',
  turnOffText:
    'Mail to this address is refused from now on, and cannot be taken under it again. What has arrived stays in the archive.',
} as const;
