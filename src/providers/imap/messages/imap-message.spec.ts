import { draftKey, draftPlaceKey, headerFields, identify, messageKey, threadKey } from './imap-message';
import type { ReadHeader } from '../session/imap-fetches';

const header = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
const read = (lines: readonly string[]): ReadHeader => ({
  uid: 1,
  size: 100,
  described: { uid: 1, size: 100, flags: [], labels: [], internalDate: new Date(0) },
  header: header(lines),
  structure: null,
  gmail: null,
});
const key = (lines: readonly string[], size: number | null = 100): string =>
  messageKey(headerFields(header(lines)), size);
const MAIL = [
  'Message-ID: <a@x>',
  'Received: by b',
  'From: Ada <a@x>',
  'Subject: hello',
  ' world',
  'X-Other: 1',
];

describe('the id of a message', () => {
  it('should not depend on the order of fields, on case, or on fields that servers add', () => {
    const same = [
      'subject: hello',
      ' world',
      'X-Other: 2',
      'from: Ada <a@x>',
      'message-id: <a@x>',
      'received: by b',
    ];
    expect(key(same)).toBe(key(MAIL));
    expect(key(MAIL)).toMatch(/^i1\.[\w-]{27}$/);
  });

  it.each([
    ['another size', () => key(MAIL, 101)],
    ['no size', () => key(MAIL, null)],
    ['another delivery', () => key(MAIL.map((line) => line.replace('by b', 'by c')))],
    ['another subject', () => key(MAIL.map((line) => line.replace('hello', 'Hello')))],
  ])('should differ with %s', (_case, other) => expect(other()).not.toBe(key(MAIL)));

  it('should be short, for drafts as well', () => {
    const place = draftPlaceKey('0191b6c0-0000-7000-8000-000000000000', 4_294_967_295, 4_294_967_295);
    expect(draftKey(place, [], new Date(0)).length).toBeLessThan(60);
  });
});

describe('the conversation of a message', () => {
  const threadOf = (...lines: string[]) => identify(read(['Message-ID: <own@x>', ...lines]), () => 'i1.k');

  it('should be that of the first message it refers to, else of the one it answers, else its own', () => {
    expect(threadOf('References: <root@x> <b@x>', 'In-Reply-To: <b@x>')).toMatchObject({
      threadId: threadKey('<root@x>'),
      inReplyTo: null,
    });
    expect(threadOf('In-Reply-To: <b@x>')).toMatchObject({
      threadId: threadKey('<b@x>'),
      inReplyTo: '<b@x>',
    });
    expect(threadOf()).toMatchObject({ threadId: threadKey('<own@x>'), inReplyTo: null });
    expect(identify(read(['Subject: none']), () => 'i1.k').threadId).toBe(threadKey('i1.k'));
  });
});

describe('the metadata of a message', () => {
  it('should be decoded: encoded words, UTF-8, Latin-1 and folded lines', () => {
    const { facts } = identify(
      read([
        'From: =?utf-8?q?=C3=89lodie?= <e@x>',
        `Subject: ${Buffer.from('Réunion', 'utf8').toString('latin1')}`,
        ' de lundi',
        'Cc: Jos\xe9 <j@x>',
        'List-Unsubscribe: <https://x/u>',
      ]),
      () => 'k',
    );
    expect(facts).toMatchObject({
      from: 'Élodie <e@x>',
      subject: 'Réunion de lundi',
      cc: 'José <j@x>',
      listUnsubscribe: '<https://x/u>',
      hasAttachments: false,
    });
  });
});
