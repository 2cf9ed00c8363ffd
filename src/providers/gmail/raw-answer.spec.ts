import { randomBytes } from 'node:crypto';
import type { RawMessage } from '../port/mailbox-provider.port';
import { Base64FieldReader, decodeRawAnswer, RAW_FIELD } from './raw-answer';

/** Reads the answer in pieces of so many bytes. */
function decode(json: Buffer, size: number, announced: boolean): RawMessage {
  const reader = new Base64FieldReader(RAW_FIELD);
  if (announced) reader.expect(json.length);
  for (let at = 0; at < json.length; at += size) reader.write(json.subarray(at, at + size));
  return decodeRawAnswer(reader.end());
}

const PIECES = [1, 2, 3, 7, 64, 1_000, 1_000_000];

const raw = Buffer.concat([Buffer.from('Subject: é\r\n\r\n'), randomBytes(1_000)]);
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
    [
      'padding escaped',
      JSON.stringify({ ...fields, raw: raw.toString('base64') }).replaceAll('=', '\\u003d'),
    ],
  ])('%s', (_name, json) => {
    for (const size of PIECES) {
      expect(decode(Buffer.from(json), size, false)).toEqual(expected);
      expect(decode(Buffer.from(json), size, true)).toEqual(expected);
    }
  });

  it('should accept a message without bytes, labels or date', () => {
    expect(decode(Buffer.from('{"id":"1","raw":""}'), 1_000, true)).toEqual({
      id: '1',
      threadId: '',
      labelIds: [],
      snippet: '',
      internalDate: new Date(0),
      bytes: Buffer.alloc(0),
    });
  });

  it.each([['{"id":"1"}'], ['{"raw":"YQ"}'], ['{"id":"1","raw":"YQ'], ['<html>'], ['null'], ['']])(
    'should refuse %s',
    (json) => {
      expect(() => decode(Buffer.from(json), 1_000, false)).toThrow();
      expect(() => decode(Buffer.from(json), 1, true)).toThrow();
    },
  );

  it('should hold little more than the decoded bytes, and know the size in advance when it is announced', () => {
    const message = randomBytes(3_000_000);
    const json = Buffer.from(JSON.stringify({ ...fields, raw: message.toString('base64url') }));
    const [known, unknown] = [new Base64FieldReader(RAW_FIELD), new Base64FieldReader(RAW_FIELD)];
    const expectedBytes = known.expect(json.length);
    for (let at = 0; at < json.length; at += 65_536) {
      known.write(json.subarray(at, at + 65_536));
      unknown.write(json.subarray(at, at + 65_536));
      expect(known.held).toBeLessThan(expectedBytes + 1_000);
    }
    expect(expectedBytes).toBeLessThan(3_001_000);
    expect(unknown.held).toBeGreaterThanOrEqual(6_000_000);
    expect(unknown.held).toBeLessThan(6_001_000);
    expect(decodeRawAnswer(known.end()).bytes.equals(message)).toBe(true);
    expect(decodeRawAnswer(unknown.end()).bytes.equals(message)).toBe(true);
  });

  it('should not buffer an endless answer without a message', () => {
    const reader = new Base64FieldReader(RAW_FIELD);
    const write = () => {
      for (let piece = 0; piece < 40; piece++) reader.write(Buffer.alloc(65_536, 'x'));
    };
    expect(write).toThrow(SyntaxError);
  });
});
