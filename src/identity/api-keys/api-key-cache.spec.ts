import type { AccessChange, AccessChanges } from '../sessions/access-changes';
import type { ApiKeysRepository, LiveApiKey } from './api-keys.repository';
import { ApiKeyCache } from './api-key-cache';

const HASH = Buffer.alloc(32, 1);
const KEY: LiveApiKey = {
  keyId: 'k1',
  userId: 'u1',
  email: 'ada@users.test',
  role: 'user',
  scope: 'read',
  accountIds: null,
  expiresAt: new Date(5_000),
};

function setup() {
  const findLive = jest.fn(async (): Promise<LiveApiKey | null> => KEY);
  let announce: (change: AccessChange) => void = () => undefined;
  const live = new ApiKeyCache(
    { findLive } as unknown as ApiKeysRepository,
    { listen: (listener: typeof announce) => (announce = listener) } as unknown as AccessChanges,
  );
  live.onModuleInit();
  return { live, findLive, announce: (change: AccessChange) => announce(change) };
}

describe('ApiKeyCache', () => {
  let time: jest.SpyInstance;

  beforeEach(() => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    time = jest.spyOn(Date, 'now').mockReturnValue(4_999);
  });
  afterEach(() => jest.restoreAllMocks());

  it('should look up by the hash, and refuse a cached key as soon as it expires', async () => {
    const { live, findLive } = setup();
    expect(await live.find(HASH)).toBe(KEY);
    expect(findLive).toHaveBeenCalledWith(HASH);
    expect(await live.find(Buffer.from(HASH))).toBe(KEY);
    time.mockReturnValue(5_000);
    expect(await live.find(HASH)).toBeNull();
    expect(findLive).toHaveBeenCalledTimes(1);
  });

  it.each<[AccessChange, number]>([
    [{ apiKeyId: 'k1' }, 2],
    [{ userId: 'u1' }, 2],
    [{ apiKeyId: 'k2' }, 1],
    [{ userId: 'u2' }, 1],
    [{ sessionId: 'k1' }, 1],
  ])('should react to %j with a total of %i look-ups', async (change, times) => {
    const { live, findLive, announce } = setup();
    await live.find(HASH);
    announce(change);
    await live.find(HASH);
    expect(findLive).toHaveBeenCalledTimes(times);
  });
});
