import { arrivalNotesOf, likenessOf } from './arrived-message';

const message = Buffer.from('From: a@b.c\r\nSubject: long\r\n line\r\n\r\nText\r\n');
const of = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('likenessOf', () => {
  it.each<[string, Buffer, ReturnType<typeof likenessOf>]>([
    ['every byte', Buffer.from(message), 'same'],
    ['a field before', of(`X-Received: by x\r\n${message.toString()}`), 'fields-added'],
    [
      'a folded field between',
      of(message.toString().replace('Subject', 'X-A: 1\r\n 2\r\nSubject')),
      'fields-added',
    ],
    [
      'a field after the others',
      of(message.toString().replace(' line\r\n', ' line\r\nX-A: 1\r\n')),
      'fields-added',
    ],
    ['a field changed', of(message.toString().replace('a@b.c', 'x@b.c')), 'different'],
    ['a field gone', of(message.toString().replace('From: a@b.c\r\n', '')), 'different'],
    ['other folding', of(message.toString().replace('\r\n line', ' line')), 'different'],
    ['other text', of(message.toString().replace('Text', 'text')), 'different'],
    ['other line ends', of(message.toString().replaceAll('\r\n', '\n')), 'line-ends'],
    ['one line less', of(message.toString().replace('\r\n\r\n', '\r\n')), 'different'],
    ['something after it', Buffer.concat([message, of('\r\n')]), 'different'],
    ['nothing', Buffer.alloc(0), 'different'],
  ])('should compare %s', (_what, arrived, expected) => {
    expect(likenessOf(message, arrived)).toBe(expected);
  });

  it.each([
    ['', 'X: 1\r\n'],
    ['no header', 'no header'],
    ['A: 1', 'A: 1'],
    ['\r\nbody', 'X: 1\r\n\r\nbody'],
  ])('should compare malformed messages: %j', (original, arrived) => {
    expect(likenessOf(of(original), of(arrived))).toBe(original === arrived ? 'same' : 'fields-added');
  });
});

describe('arrivalNotesOf', () => {
  const date = new Date('2020-01-01T00:00:00Z');
  it.each<[Parameters<typeof arrivalNotesOf>[0], number | null, string[]]>([
    ['same', 0, []],
    ['same', 60_000, []],
    ['same', 61_000, ['date-differs']],
    ['same', -61_000, ['date-differs']],
    ['fields-added', null, ['fields-added']],
    ['line-ends', 0, ['bytes-differ']],
    ['different', 3_600_000, ['date-differs', 'bytes-differ']],
  ])('should note %s after %s ms', (likeness, after, expected) => {
    const at = after === null ? null : new Date(date.getTime() + after);
    expect(arrivalNotesOf(likeness, date, at)).toEqual(expected);
  });
});
