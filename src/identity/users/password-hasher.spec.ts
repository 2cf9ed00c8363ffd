import crypto, { scryptSync } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { watchQuickScrypt } from '../../../test/support/quick-scrypt';
import { formatScryptHash } from '../../platform/crypto/scrypt-hash';
import { PasswordHasher } from './password-hasher';
import { SignInBusy } from './users.errors';

// Hashing is slow on purpose, and slower on a busy machine.
jest.setTimeout(60_000);

const CALLER = '192.0.2.1';

describe('PasswordHasher', () => {
  const hasher = new PasswordHasher();

  it('should accept only the right password', async () => {
    const stored = await hasher.hash('correct horse', CALLER);
    expect(await hasher.verify('correct horse', stored, CALLER)).toBe(true);
    expect(await hasher.verify('correct horsf', stored, CALLER)).toBe(false);
    expect(await hasher.verify('', stored, CALLER)).toBe(false);
  });

  describe('at minimum cost', () => {
    let scrypt: jest.SpyInstance;

    beforeEach(() => (scrypt = watchQuickScrypt()));
    afterEach(() => jest.restoreAllMocks());

    it('should salt: the same password never has the same hash', async () => {
      expect(await hasher.hash('same password', CALLER)).not.toBe(await hasher.hash('same password', CALLER));
    });

    it('should accept composed and decomposed accents as the same password', async () => {
      const stored = await hasher.hash('caf\u00e9 au lait', CALLER);
      expect(await hasher.verify('cafe\u0301 au lait', stored, CALLER)).toBe(true);
    });

    it('should accept nothing without a user, after the same work as for a wrong password', async () => {
      const stored = await hasher.hash('correct horse', CALLER);
      scrypt.mockClear();
      expect(await hasher.verify('a guess', stored, CALLER)).toBe(false);
      expect(await hasher.verify('a guess', null, CALLER)).toBe(false);
      expect(await hasher.verify('a guess', 'not a hash', CALLER)).toBe(false);
      const work = scrypt.mock.calls.map(([password, , bytes, cost]) => ({ password, bytes, cost }));
      expect(work).toHaveLength(3);
      expect(work[1]).toEqual(work[0]);
      expect(work[2]).toEqual(work[0]);
      expect(work[0]?.cost).toMatchObject({ N: 2 ** 15, r: 8, p: 3 });
    });
  });

  it('should verify hashes of weaker parameters and report them as outdated', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const key = scryptSync('old password', salt, 32, { N: 2 ** 14, r: 8, p: 1 });
    const stored = formatScryptHash({ cost: { ln: 14, r: 8, p: 1 }, salt, key });
    expect(await hasher.verify('old password', stored, CALLER)).toBe(true);
    expect(hasher.isOutdated(stored)).toBe(true);
    expect(hasher.isOutdated(await hasher.hash('old password', CALLER))).toBe(false);
  });

  it('should admit other callers at once while one of them hashes endlessly', async () => {
    const waiting: (() => void)[] = [];
    const scrypt = jest.spyOn(crypto, 'scrypt').mockImplementation((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error | null, key: Buffer) => void;
      waiting.push(() => done(null, Buffer.alloc(32)));
    });
    const busy = new PasswordHasher();
    const hashing = Array.from({ length: 70 }, () =>
      busy.hash('again', 'hostile').catch((error: unknown) => error),
    );
    await nextTurn();
    expect(waiting).toHaveLength(1);
    const other = busy.hash('password', CALLER);
    await nextTurn();
    expect(waiting).toHaveLength(2);
    waiting.pop()!();
    expect(await other).toMatch(/^\$scrypt/);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      next();
      await nextTurn();
    }
    const refused = (await Promise.all(hashing)).filter((outcome) => outcome instanceof SignInBusy);
    expect(refused).toHaveLength(70 - 1 - 64);
    scrypt.mockRestore();
  });
});
