import crypto, { scryptSync } from 'node:crypto';
import { formatScryptHash } from '../common/crypto/scrypt-hash';
import { PasswordHasher } from './password-hasher';

// Hashing is slow on purpose, and slower on a busy machine.
jest.setTimeout(60_000);

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher();

  it('should accept the right password only', async () => {
    const stored = await hasher.hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    expect(await hasher.verify('correct horsf', stored)).toBe(false);
    expect(await hasher.verify('', stored)).toBe(false);
  });

  it('should salt: the same password never has the same hash', async () => {
    expect(await hasher.hash('same password')).not.toBe(await hasher.hash('same password'));
  });

  it('should accept composed and decomposed accents as the same password', async () => {
    const stored = await hasher.hash('caf\u00e9 au lait');
    expect(await hasher.verify('cafe\u0301 au lait', stored)).toBe(true);
  });

  it('should accept nothing without a user, after the same work as for a wrong password', async () => {
    const stored = await hasher.hash('correct horse');
    const scrypt = jest.spyOn(crypto, 'scrypt');
    expect(await hasher.verify('a guess', stored)).toBe(false);
    expect(await hasher.verify('a guess', null)).toBe(false);
    expect(await hasher.verify('a guess', 'not a hash')).toBe(false);
    const work = scrypt.mock.calls.map(([password, , bytes, cost]) => ({ password, bytes, cost }));
    expect(work).toHaveLength(3);
    expect(work[1]).toEqual(work[0]);
    expect(work[2]).toEqual(work[0]);
    expect(work[0]?.cost).toMatchObject({ N: 2 ** 15, r: 8, p: 3 });
    scrypt.mockRestore();
  });

  it('should verify hashes of weaker parameters and report them as outdated', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const key = scryptSync('old password', salt, 32, { N: 2 ** 14, r: 8, p: 1 });
    const stored = formatScryptHash({ cost: { ln: 14, r: 8, p: 1 }, salt, key });
    expect(await hasher.verify('old password', stored)).toBe(true);
    expect(hasher.isOutdated(stored)).toBe(true);
    expect(hasher.isOutdated(await hasher.hash('old password'))).toBe(false);
  });
});
