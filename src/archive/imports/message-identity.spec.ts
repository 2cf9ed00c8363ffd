import { archiveDate, mailboxMessageId } from './import-writer';

const SHA = 'ab'.repeat(32);

describe('mailboxMessageId', () => {
  it.each([
    ['<a@example.com>', '<a@example.com>'],
    ['a@example.com', 'message-id:a@example.com'],
    ['18c1f0a2b3c4d5e6', 'message-id:18c1f0a2b3c4d5e6'],
    ['i1.qL8mRz0', 'message-id:i1.qL8mRz0'],
    [`sha256:${SHA}`, `message-id:sha256:${SHA}`],
    [' <a@example.com>', '<a@example.com>'],
    ['<a\0@example.com>', '<a@example.com>'],
    [null, `sha256:${SHA}`],
    ['', `sha256:${SHA}`],
    [' \0', `sha256:${SHA}`],
    [`<${'a'.repeat(510)}>`, `<${'a'.repeat(510)}>`],
    [`<${'a'.repeat(511)}>`, `sha256:${SHA}`],
  ])('should turn %j into %j', (messageId, expected) => {
    expect(mailboxMessageId({ messageId, sha256: SHA })).toBe(expected);
  });
});

describe('archiveDate', () => {
  const now = new Date('2026-11-21T19:39:27.123Z');
  const header = new Date('2019-03-19T09:13:51Z');
  const received = new Date('2019-03-19T09:14:00Z');

  it.each([
    ['the Date header', [header, received], header],
    ['the source where there is no Date', [null, received], received],
    ['the source where the Date is before 1970', [new Date('1900-01-01T00:00:00Z'), received], received],
    ['the source where the Date is after 9999', [new Date('+010000-01-01T00:00:00Z'), received], received],
    ['the source where the Date is none', [new Date(NaN), received], received],
    ['the present day otherwise', [null, null], new Date('2026-11-21T00:00:00Z')],
  ])('should be the date of %s', (_name, candidates, expected) => {
    expect(archiveDate(candidates, now)).toEqual(expected);
  });
});
