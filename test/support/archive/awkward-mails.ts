import { eml, emlWithAttachment } from './eml';

/** Messages that an mbox could change, and does not: name and bytes. */
export const AWKWARD_MAILS: readonly [string, Buffer][] = [
  ['plain', eml('Subject: plain', 'From: a@example.com', '', 'text', '')],
  [
    'quoting',
    eml('Subject: q', '', 'From here on', '>From there', '>>From', '>>From ', 'From:', 'From ', ''),
  ],
  [
    'a separator in the text',
    eml('Subject: s', '', '', 'From a@b.c Thu Feb 29 00:00:00 2024', 'Subject: no', ''),
  ],
  ['a separator in the header', eml('From a@b.c Thu Feb 29 00:00:00 2024', 'Subject: s', '', 'text', '')],
  ['empty lines at the end', eml('Subject: e', '', 'text', '', '', '', '')],
  ['no text', eml('Subject: only a header', '', '')],
  ['a length that lies', eml('Subject: l', 'Content-Length: 3', '', 'longer than that', '')],
  ['eight bits', Buffer.from('Subject: \xe9\r\n\r\n\xff\xfe\x00\x01 caf\xe9\r\n', 'latin1')],
  ['long lines', eml('Subject: long', '', 'x'.repeat(100_000), `From ${'y'.repeat(100_000)}`, '')],
  [
    'streamed',
    eml('Subject: large', '', ...Array.from({ length: 40_000 }, (_, n) => `From line ${n} of many`), ''),
  ],
  [
    'an attachment',
    emlWithAttachment({ disposition: 'attachment; filename="a.bin"', content: Buffer.alloc(9_999, 7) }),
  ],
];
