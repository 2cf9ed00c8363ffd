import { setImmediate as nextTurn } from 'node:timers/promises';
import { watchQuickScrypt } from '../../../test/support/quick-scrypt';
import type { Transactions } from '../../platform/database/transactions';
import type { EncryptionPassphrasesRepository } from './encryption-passphrases.repository';
import { EncryptionNotConfigured, PassphraseInvalid, PassphrasesBusy } from './encryption.errors';
import { PassphrasesService } from './passphrases.service';
import { MailKeys } from './mail-keys';
import type { PassphraseAttempts } from './passphrases.service';

const PASSPHRASE = 'correct horse';
const salt = Buffer.alloc(32, 7);

describe('PassphrasesService', () => {
  let hash: string | null;
  let attempts: Record<'begin' | 'succeed' | 'withdraw', jest.Mock>;
  let record: jest.Mock;
  let recordRefusal: jest.Mock;
  let sut: PassphrasesService;
  let scrypt: jest.SpyInstance;
  let keyFor: jest.SpyInstance;

  beforeEach(async () => {
    hash = null;
    record = jest.fn();
    recordRefusal = jest.fn();
    attempts = { begin: jest.fn(), succeed: jest.fn(), withdraw: jest.fn() };
    const hashes: Pick<EncryptionPassphrasesRepository, 'hashOf' | 'add'> = {
      hashOf: async () => hash,
      add: async (_user, added) => ((hash = added), true),
    };
    sut = new PassphrasesService(
      hashes as EncryptionPassphrasesRepository,
      attempts as unknown as PassphraseAttempts,
      { record, recordRefusal },
      { run: (work: () => Promise<void>) => work() } as unknown as Transactions,
    );
    scrypt = watchQuickScrypt();
    await sut.setUp('user', PASSPHRASE);
    scrypt.mockClear();
    keyFor = jest.spyOn(MailKeys.prototype, 'deriveKey');
  });

  afterEach(() => jest.restoreAllMocks());

  it('should do the same work for a wrong passphrase as for a right one', async () => {
    expect(await sut.verify('user', PASSPHRASE)).toBe(true);
    expect(await sut.verify('user', 'wrong')).toBe(false);
    await sut.unlock('user', PASSPHRASE, salt);
    await expect(sut.unlock('user', 'wrong', salt)).rejects.toThrow(PassphraseInvalid);
    expect(recordRefusal.mock.calls).toEqual(
      [1, 2].map(() => [{ action: 'passphrase.refused', userId: 'user' }]),
    );
    const work = scrypt.mock.calls.map(([, used, bytes, cost]) => ({ used, bytes, cost }));
    expect(work).toHaveLength(4);
    for (const each of work) expect(each).toEqual(work[0]);
    expect(keyFor.mock.calls).toEqual([[salt], [salt]]);
  });

  it('should count an attempt before it is made, and no longer count a right one', async () => {
    attempts.begin.mockImplementation(() => expect(scrypt).not.toHaveBeenCalled());
    await sut.verify('user', 'wrong');
    expect(
      [attempts.begin, attempts.succeed, attempts.withdraw].map((call) => call.mock.calls.length),
    ).toEqual([1, 0, 0]);
    scrypt.mockClear();
    await sut.verify('user', PASSPHRASE);
    expect(attempts.succeed).toHaveBeenCalledTimes(1);
  });

  it('should leave the slot to others while a refusal waits to be recorded', async () => {
    const recorded: (() => void)[] = [];
    recordRefusal.mockImplementation(() => new Promise<void>((resolve) => recorded.push(resolve)));
    const hostile = ['one', 'two'].map((user) => sut.verify(user, 'wrong'));
    while (recorded.length < hostile.length) await nextTurn();
    expect(await sut.verify('user', PASSPHRASE)).toBe(true);
    for (const done of recorded) done();
    expect(await Promise.all(hostile)).toEqual([false, false]);
  });

  it('should do no work once guessing is refused', async () => {
    attempts.begin.mockRejectedValue(new Error('too often'));
    await expect(sut.unlock('user', PASSPHRASE, salt)).rejects.toThrow('too often');
    expect(scrypt).not.toHaveBeenCalled();
    expect(keyFor).not.toHaveBeenCalled();
  });

  it('should not count an attempt that could not be checked', async () => {
    keyFor.mockRejectedValueOnce(new Error('out of memory'));
    await expect(sut.unlock('user', PASSPHRASE, salt)).rejects.toThrow('out of memory');
    expect(attempts.withdraw).toHaveBeenCalledWith('user');
    expect(attempts.succeed).not.toHaveBeenCalled();
  });

  it('should hash a passphrase once for the keys it unlocks later', async () => {
    const proof = await sut.prove('user', PASSPHRASE);
    const keys = await sut.unlockProven('user', PASSPHRASE, proof, salt);
    expect(scrypt).toHaveBeenCalledTimes(1);
    expect(await keys.deriveKey(salt)).toEqual(await new MailKeys(PASSPHRASE).deriveKey(salt));
    // Neither counted nor taken for a right attempt.
    expect(attempts.withdraw).toHaveBeenCalledTimes(1);
    expect(attempts.succeed).toHaveBeenCalledTimes(1);
    await expect(sut.prove('user', 'wrong')).rejects.toThrow(PassphraseInvalid);
  });

  it('should check a passphrase again when it was right for another hash, or never checked', async () => {
    const proof = await sut.prove('user', PASSPHRASE);
    hash = null;
    await sut.setUp('user', 'another passphrase');
    await expect(sut.unlockProven('user', PASSPHRASE, proof, salt)).rejects.toThrow(PassphraseInvalid);
    await expect(sut.unlockProven('user', PASSPHRASE, '', salt)).rejects.toThrow(PassphraseInvalid);
    hash = null;
    await expect(sut.unlockProven('user', PASSPHRASE, proof, salt)).rejects.toThrow(EncryptionNotConfigured);
  });

  it('should unlock nothing with a proof while guessing is refused', async () => {
    const proof = await sut.prove('user', PASSPHRASE);
    attempts.begin.mockRejectedValue(new Error('too often'));
    await expect(sut.unlockProven('user', PASSPHRASE, proof, salt)).rejects.toThrow('too often');
    expect(keyFor).not.toHaveBeenCalled();
    expect(attempts.withdraw).not.toHaveBeenCalled();
  });

  it('should check the passphrase of a user at once while another user checks endlessly', async () => {
    const waiting: (() => void)[] = [];
    scrypt.mockImplementation(((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error | null, key: Buffer) => void;
      waiting.push(() => done(null, Buffer.alloc(32)));
    }) as never);
    const hostile = Array.from({ length: 70 }, () =>
      sut.verify('hostile', PASSPHRASE).catch((error: unknown) => error),
    );
    await nextTurn();
    expect(waiting).toHaveLength(1);
    const checked = sut.verify('user', PASSPHRASE);
    await nextTurn();
    expect(waiting).toHaveLength(2);
    waiting.pop()!();
    expect(await checked).toBe(false);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      next();
      await nextTurn();
    }
    const refused = (await Promise.all(hostile)).filter((outcome) => outcome instanceof PassphrasesBusy);
    expect(refused).toHaveLength(70 - 1 - 64);
  });

  it('should count nothing before a passphrase is set up', async () => {
    hash = null;
    await expect(sut.verify('user', PASSPHRASE)).rejects.toThrow(EncryptionNotConfigured);
    expect(attempts.begin).not.toHaveBeenCalled();
  });
});
