import { validate, version } from 'uuid';
import { deterministicId, storageKey } from './storage-key';

describe('deterministicId', () => {
  const date = new Date('2024-02-29T12:34:56.789Z');

  it('should be a version 7 UUID of the date, the same every time', () => {
    const id = deterministicId(date, 'account', 'message');
    expect(validate(id)).toBe(true);
    expect(version(id)).toBe(7);
    expect(parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBe(date.getTime());
    expect(deterministicId(date, 'account', 'message')).toBe(id);
  });

  it('should differ when any part of the identity differs', () => {
    const ids = [
      deterministicId(date, 'ab', 'c'),
      deterministicId(date, 'a', 'bc'),
      deterministicId(date, 'ab', 'c', ''),
      deterministicId(new Date(date.getTime() + 1), 'ab', 'c'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([new Date(-1), new Date(8.64e15), new Date(0)])('should stay a valid id for %s', (extreme) => {
    const id = deterministicId(extreme, 'x');
    expect(validate(id) && version(id) === 7).toBe(true);
  });
});

describe('storageKey', () => {
  it('should take year and month in UTC', () => {
    expect(storageKey('u', 'a', new Date('2023-12-31T23:59:59Z'), 'id')).toBe('u/a/2023/12/id.eml');
    expect(storageKey('u', 'a', new Date('2024-01-01T00:00:00Z'), 'id')).toBe('u/a/2024/01/id.eml');
  });
});
