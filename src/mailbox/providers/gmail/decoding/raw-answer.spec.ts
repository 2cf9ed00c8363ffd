import { randomBytes } from 'node:crypto';
import { decodeRawAnswer } from './raw-answer';

const raw = Buffer.concat([Buffer.from('Subject: é\r\n\r\n'), randomBytes(999)]);
const fields = {
  id: '18c',
  threadId: '18b',
  labelIds: ['INBOX'],
  snippet: 'fish &amp; "raw": "chips" \u{1f41f}',
  sizeEstimate: 1_012,
  internalDate: '1700000000123',
};
const expected = {
  id: '18c',
  threadId: '18b',
  labelIds: ['INBOX'],
  snippet: 'fish & "raw": "chips" \u{1f41f}',
  internalDate: new Date(1_700_000_000_123),
  bytes: raw,
};

describe('decodeRawAnswer', () => {
  it.each([
    ['compact, raw last', JSON.stringify({ ...fields, raw: raw.toString('base64url') })],
    ['compact, raw first', JSON.stringify({ raw: raw.toString('base64url'), ...fields })],
    ['indented', JSON.stringify({ ...fields, raw: raw.toString('base64url'), historyId: '9' }, null, 2)],
    ['padded', JSON.stringify({ ...fields, raw: `${raw.toString('base64url')}==` })],
    ['plain base64', JSON.stringify({ ...fields, raw: raw.toString('base64') })],
    ['with escapes', JSON.stringify({ ...fields, raw: raw.toString('base64') }).replaceAll('/', '\\/')],
  ])('%s', (_name, json) => {
    expect(decodeRawAnswer(Buffer.from(json))).toEqual(expected);
  });

  it('takes a message without bytes, labels or date', () => {
    expect(decodeRawAnswer(Buffer.from('{"id":"1","raw":""}'))).toEqual({
      id: '1',
      threadId: '',
      labelIds: [],
      snippet: '',
      internalDate: new Date(0),
      bytes: Buffer.alloc(0),
    });
  });

  it.each([['{"id":"1"}'], ['{"raw":"YQ"}'], ['{"id":"1","raw":"YQ'], ['<html>'], ['null'], ['']])(
    'refuses %s',
    (json) => {
      expect(() => decodeRawAnswer(Buffer.from(json))).toThrow();
    },
  );
});
