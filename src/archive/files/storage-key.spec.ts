import { validate, version } from 'uuid';
import {
  deterministicId,
  laterStorageKey,
  mailIdOf,
  newFileTag,
  newMailId,
  parseArchiveKey,
  storageKey,
} from './storage-key';

const USER = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e';
const MAIL = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4f';

describe('newMailId', () => {
  it.each([new Date('2024-02-29T12:34:56.789Z'), new Date(-1), new Date(8.64e15)])(
    'should be a version 7 UUID of %s, different each time',
    (date) => {
      const ids = Array.from({ length: 1_000 }, () => newMailId(date));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
      expect(new Set(ids.map((id) => id.slice(0, 13))).size).toBe(1);
    },
  );
});

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

describe('parseArchiveKey', () => {
  const plain = storageKey(USER, ACCOUNT, new Date('2024-02-29T23:59:59Z'), MAIL);
  const parts = { userId: USER, accountId: ACCOUNT, mailId: MAIL };

  it('should parse the key of a first file', () => {
    expect(parseArchiveKey(plain)).toEqual(parts);
  });

  it('should parse the key of a later file', () => {
    const key = laterStorageKey(plain, MAIL, '0123456789abcdef');
    expect(key).toBe(`${USER}/${ACCOUNT}/2024/02/${MAIL}.0123456789abcdef.eml`);
    expect([parseArchiveKey(key), mailIdOf(key)]).toEqual([parts, MAIL]);
    expect(laterStorageKey(key, MAIL, newFileTag())).toMatch(/\/2024\/02\/[0-9a-f-]{36}\.[0-9a-f]{16}\.eml$/);
  });

  it('should parse the key of a mail encrypted by an earlier version', () => {
    const key = `${USER}/${ACCOUNT}/2024/02/0123456789abcdef/${MAIL}.eml`;
    expect([parseArchiveKey(key), mailIdOf(key)]).toEqual([parts, MAIL]);
    expect(laterStorageKey(key, MAIL, 'fedcba9876543210')).toBe(
      `${USER}/${ACCOUNT}/2024/02/${MAIL}.fedcba9876543210.eml`,
    );
  });

  it.each([
    `${USER}/${ACCOUNT}/2024/13/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/00/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/24/01/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL}.eml.bak`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL}.eml\n`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL.toUpperCase()}.eml`,
    `${USER}/${ACCOUNT}/2024/01/notes.eml`,
    `${USER}/${ACCOUNT}/2024/01/more/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789abcde/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789ABCDEF/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789abcdef/0123456789abcdef/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/0123456789abcdef/${MAIL}.eml`,
    `${USER}/${ACCOUNT}/2024/01/0123456789abcdef/${MAIL}.0123456789abcdef.eml`,
    `${USER}/${ACCOUNT}/2024/01/${MAIL}.0123456789abcde.eml`,
    `x${USER}/${ACCOUNT}/2024/01/${MAIL}.eml`,
    `backup/${USER}/${ACCOUNT}/2024/01/${MAIL}.eml`,
    `${USER}/2024/01/${MAIL}.eml`,
    '',
  ])('should ignore %j', (key) => {
    expect(parseArchiveKey(key)).toBeNull();
  });
});
