import type { AccessChange, AccessChanges } from './access-changes';
import { SessionCache } from './session-cache';
import type { LiveSession, SessionsRepository } from './sessions.repository';

const SESSION: LiveSession = { sessionId: 's1', userId: 'u1', email: 'ada@users.test', role: 'user' };

/** The cache over a repository whose answers the test gives, one by one. */
function setup() {
  const reads: ((answer: LiveSession | null) => void)[] = [];
  const findLive = jest.fn(() => new Promise<LiveSession | null>((resolve) => reads.push(resolve)));
  let announce: (change: AccessChange) => void = () => undefined;
  const live = new SessionCache(
    { findLive } as unknown as SessionsRepository,
    { listen: (listener: typeof announce) => (announce = listener) } as unknown as AccessChanges,
  );
  live.onModuleInit();
  return { live, reads, findLive, announce: (change: AccessChange) => announce(change) };
}

describe('SessionCache', () => {
  afterEach(() => jest.restoreAllMocks());

  it('should query once for a burst of requests, and not again for two seconds', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { live, reads, findLive } = setup();
    const burst = [live.find('s1'), live.find('s1'), live.find('s1')];
    reads[0]!(SESSION);
    expect(await Promise.all(burst)).toEqual([SESSION, SESSION, SESSION]);
    clock.mockReturnValue(1_999);
    expect(await live.find('s1')).toEqual(SESSION);
    expect(findLive).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(2_000);
    const later = live.find('s1');
    expect(findLive).toHaveBeenCalledTimes(2);
    reads[1]!(null);
    expect(await later).toBeNull();
  });

  it.each([{ sessionId: 's1' }, { userId: 'u1' }])(
    'should drop the session at once on %j',
    async (change) => {
      const { live, reads, findLive, announce } = setup();
      const first = live.find('s1');
      reads[0]!(SESSION);
      await first;
      announce(change);
      const second = live.find('s1');
      expect(findLive).toHaveBeenCalledTimes(2);
      reads[1]!(null);
      expect(await second).toBeNull();
    },
  );

  it('should keep sessions that a change does not concern', async () => {
    const { live, reads, findLive, announce } = setup();
    const first = live.find('s1');
    reads[0]!(SESSION);
    await first;
    announce({ userId: 'u2' });
    announce({ sessionId: 's2' });
    expect(await live.find('s1')).toEqual(SESSION);
    expect(findLive).toHaveBeenCalledTimes(1);
  });

  it('should not cache a read that was in progress when a change arrived', async () => {
    const { live, reads, findLive, announce } = setup();
    const before = live.find('s1');
    announce({ sessionId: 's1' });
    const after = live.find('s1');
    expect(findLive).toHaveBeenCalledTimes(2);
    reads[0]!(SESSION);
    reads[1]!(null);
    await before;
    expect(await after).toBeNull();
    const again = live.find('s1');
    expect(findLive).toHaveBeenCalledTimes(3);
    reads[2]!(null);
    expect(await again).toBeNull();
  });

  it('should not cache an ended session', async () => {
    const { live, reads, findLive } = setup();
    const first = live.find('s1');
    reads[0]!(null);
    expect(await first).toBeNull();
    const second = live.find('s1');
    reads[1]!(SESSION);
    expect(await second).toEqual(SESSION);
    expect(findLive).toHaveBeenCalledTimes(2);
  });
});
