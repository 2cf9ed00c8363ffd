import { StrategyNames } from '../../platform/access/guards/strategy-names';
import type { ApiKeyCache } from './api-key-cache';
import { hashApiKey, newApiKey } from './api-key-format';
import type { ApiKeyUsage } from './api-key-usage';
import { ApiKeyStrategy } from './api-key.strategy';

describe('ApiKeyStrategy', () => {
  const [key, unknown] = [newApiKey(), newApiKey()];
  const live = {
    keyId: 'k',
    userId: 'ada',
    email: 'ada@example.org',
    role: 'user',
    scope: 'read',
    accountIds: ['a'],
  };

  function setup() {
    const find = jest.fn(async (hash: Buffer) =>
      hash.equals(hashApiKey(key)) ? { ...live, expiresAt: null } : null,
    );
    const record = jest.fn();
    const sut = new ApiKeyStrategy(
      new StrategyNames(),
      { find } as unknown as ApiKeyCache,
      { record } as unknown as ApiKeyUsage,
    );
    return { sut, find, record };
  }

  it('should return the user of a valid key and its permissions, and record its use', async () => {
    const { sut, record } = setup();
    expect(await sut.validate(key)).toEqual({
      id: 'ada',
      email: 'ada@example.org',
      role: 'user',
      apiKey: { id: 'k', scope: 'read', accountIds: ['a'], expiresAt: null },
    });
    expect(record).toHaveBeenCalledWith('k');
  });

  it('should not return a user for a revoked or unknown key', async () => {
    const { sut, record } = setup();
    expect(await sut.validate(unknown)).toBeNull();
    expect(record).not.toHaveBeenCalled();
  });

  it.each([undefined, '', 'mrk_', 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln', `${key}0`, key.slice(0, -1)])(
    'should look up nothing for %p',
    async (text) => {
      const { sut, find } = setup();
      expect(await sut.validate(text)).toBeNull();
      expect(find).not.toHaveBeenCalled();
    },
  );
});
