import { normalizedHost } from '../../../platform/validation/host-name';
import { imapLabels } from './imap-labels';

describe('imapLabels', () => {
  const labels = (flags: string[], gmail: string[] | null, name: string, specialUse: string | null = null) =>
    imapLabels({ flags: new Set(flags), labels: gmail && new Set(gmail) }, { name, specialUse });

  it.each([
    [labels(['\\Seen'], null, 'INBOX'), ['INBOX']],
    [labels([], null, 'inbox'), ['INBOX', 'UNREAD']],
    [labels(['\\seen', '\\FLAGGED'], null, 'Work/2024'), ['Work/2024', 'STARRED']],
    [labels(['\\Seen', '\\Draft'], null, 'Entwürfe', '\\Drafts'), ['DRAFT']],
    [labels(['\\Seen'], null, 'Gesendet', '\\Sent'), ['SENT']],
    [
      labels(['\\Seen'], ['\\Inbox', '\\Important', 'Family'], '[Gmail]/All Mail', '\\All'),
      ['INBOX', 'IMPORTANT', 'Family'],
    ],
    [labels(['\\Seen'], ['\\Sent'], 'Family'), ['SENT', 'Family']],
  ])('should return %j', (made, expected) => expect(made).toEqual(expected));
});

describe('normalizedHost', () => {
  it.each([
    ['IMAP.Example.com', 'imap.example.com'],
    ['imap.example.com.', 'imap.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['[::1]', '::1'],
    ['192.0.2.7', '192.0.2.7'],
    ['a_b.example', 'a_b.example'],
    ['imap.example.com:993', null],
    ['imaps://imap.example.com', null],
    ['a b', null],
    ['a..b', null],
    ['', null],
    ['.', null],
    ['a\r\nb', null],
    ['x'.repeat(64), null],
  ])('should normalise %j to %j', (text, host) => expect(normalizedHost(text)).toBe(host));
});
