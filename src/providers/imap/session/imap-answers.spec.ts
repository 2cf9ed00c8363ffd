import {
  dateOf,
  dateTime,
  flagsOf,
  numberOf,
  orderedUids,
  responseCode,
  bytesOf,
  fetchItems,
} from './imap-answers';

const atom = (value: string) => ({ type: 'ATOM', value });

describe('answers of IMAP servers', () => {
  it.each([
    ['01-Feb-2024 10:00:00 +0000', '2024-02-01T10:00:00.000Z'],
    [' 1-Feb-2024 10:00:00 +0130', '2024-02-01T08:30:00.000Z'],
    ['01-feb-2024 10:00:00 -0030', '2024-02-01T10:30:00.000Z'],
    ['31-Foo-2024 10:00:00 +0000', null],
    ['yesterday', null],
  ])('should read the date %s', (text, expected) => {
    expect(dateOf(atom(text))?.toISOString() ?? null).toBe(expected);
  });

  it('should write dates that are read back unchanged', () => {
    const date = new Date('2024-02-29T23:59:58Z');
    expect(dateTime(date)).toBe('29-Feb-2024 23:59:58 +0000');
    expect(dateOf(atom(dateTime(date)))).toEqual(date);
  });

  it('should read flags in any case, sorted, and never more than a message can have', () => {
    expect(
      flagsOf([atom('\\SEEN'), atom('\\Recent'), atom('$important'), atom('Work'), atom('\\seen')]),
    ).toEqual(['$Important', 'Work', '\\Seen']);
    expect(flagsOf(Array.from({ length: 5_000 }, (_, index) => atom(`k${index}`)))).toHaveLength(200);
    expect(flagsOf(null)).toEqual([]);
  });

  it.each([
    ['1:3,7', 10, [1, 2, 3, 7]],
    ['7,1:3', 10, [7, 1, 2, 3]],
    ['3:1', 10, [3, 2, 1]],
    ['1:4294967295', 10, null],
    ['0', 10, null],
    ['1,x', 10, null],
    ['', 10, null],
    ['1:3', 2, null],
  ])('should read the set %s of at most %d', (set, most, expected) => {
    expect(orderedUids(set, most)).toEqual(expected);
  });

  it('should read response codes and the items of FETCH', () => {
    const answer = {
      command: 'OK',
      attributes: [{ ...atom(''), section: [atom('COPYUID'), atom('7'), atom('1:2'), atom('4:5')] }],
    };
    expect(responseCode(answer)).toEqual(['COPYUID', '7', '1:2', '4:5']);
    expect(responseCode({ command: 'OK', attributes: [atom('done')] })).toEqual([]);
    const body = Buffer.from([0xff, 0x0a]);
    const items = fetchItems({
      command: '3',
      attributes: [
        atom('FETCH'),
        [atom('UID'), atom('9'), { ...atom('BODY'), section: [] }, { type: 'LITERAL', value: body }],
      ],
    });
    expect(numberOf(items.get('UID'))).toBe(9);
    expect(bytesOf(items.get('BODY[]'))).toBe(body);
  });

  it('should not mistake text for bytes that the parser has corrupted', () => {
    expect(bytesOf({ type: 'STRING', value: 'abc' })).toEqual(Buffer.from('abc'));
    expect(bytesOf({ type: 'STRING', value: 'a\ufffdc' })).toBeNull();
    expect(bytesOf(null)).toBeNull();
  });
});
