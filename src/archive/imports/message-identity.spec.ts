import { mailboxMessageId } from './import-writer';

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
