import type { ThreadedMessage } from './message-references';
import { messageIds, messageReferences, referenceKey } from './message-references';

const message = (headers: Partial<ThreadedMessage>): ThreadedMessage => ({
  messageId: null,
  inReplyTo: null,
  references: null,
  subject: 'Lunch',
  sender: 'alice@example.com',
  recipient: 'bob@example.com',
  date: new Date(0),
  ...headers,
});

describe('messageIds', () => {
  it.each([
    ['<a@x> <b@x>', ['<a@x>', '<b@x>']],
    ['<a@x><b@x>', ['<a@x>', '<b@x>']],
    ['<a@x>\r\n\t<b@x>\r\n <a@x>', ['<a@x>', '<b@x>']],
    ['<long.\r\n  folded@x>', ['<long.folded@x>']],
    ['Your message of "Mon, 1 Jan" <a@x>', ['<a@x>']],
    ['<cut.off <a@x> <b@', ['<a@x>']],
    ['a@x, b@x', ['<a@x>', '<b@x>']],
    ['<> < > nothing', []],
    ['> <<a@x>>', ['<a@x>']],
    ['', []],
    ['no ids at all', []],
  ])('should read %j', (header, ids) => expect(messageIds(header)).toEqual(ids));

  it('should read a megabyte of brackets in no time', () => {
    const startedAt = performance.now();
    expect(messageIds('<'.repeat(1_000_000))).toEqual([]);
    expect(messageIds('<a'.repeat(500_000))).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe('messageReferences', () => {
  const key = (id: string): string => referenceKey('account', id);
  const read = (headers: Partial<ThreadedMessage>) => messageReferences('account', message(headers));

  it('should put the nearest first and leave the message itself out', () => {
    const { own, references } = read({
      messageId: '<c@x>',
      references: '<a@x> <b@x> <c@x>',
      inReplyTo: '<b@x>',
    });
    expect(own).toBe(key('<c@x>'));
    expect(references).toEqual([key('<b@x>'), key('<a@x>')]);
  });

  it('should use In-Reply-To when there are no References', () => {
    expect(read({ messageId: '<c@x>', inReplyTo: 'Message of Monday <b@x>' }).references).toEqual([
      key('<b@x>'),
    ]);
  });

  it('should keep both ends of a list of thousands', () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `<${index}@x>`);
    const { references } = read({ references: ids.join(' '), inReplyTo: '<other@x>' });
    expect(references).toHaveLength(33);
    expect(references[0]).toBe(key('<4999@x>'));
    expect(references.slice(-2)).toEqual([key('<0@x>'), key('<other@x>')]);
  });

  it('should give messages without an id a unique, repeatable key', () => {
    expect(read({}).own).toBe(read({}).own);
    expect(read({}).own).not.toBe(read({ date: new Date(1) }).own);
    expect(read({}).ids.size).toBe(0);
  });

  it('should keep accounts separate', () => {
    expect(messageReferences('one', message({ messageId: '<a@x>' })).own).not.toBe(
      messageReferences('other', message({ messageId: '<a@x>' })).own,
    );
  });
});
