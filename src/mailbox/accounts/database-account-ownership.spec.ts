import type { AccessChange, AccessChanges } from '../../identity/sessions/access-changes';
import { DatabaseAccountOwnership } from './database-account-ownership';
import type { MailboxAccountsRepository } from './mailbox-accounts.repository';

/** Ada owns `a`. */
function setup() {
  const countOwned = jest.fn(async (userId: string, ids: readonly string[]) =>
    userId === 'ada' ? ids.filter((id) => id === 'a').length : 0,
  );
  let announce: (change: AccessChange) => void = () => undefined;
  const sut = new DatabaseAccountOwnership(
    { countOwned } as unknown as MailboxAccountsRepository,
    { listen: (listener: typeof announce) => (announce = listener) } as unknown as AccessChanges,
  );
  sut.onModuleInit();
  return { sut, countOwned, announce: (change: AccessChange) => announce(change) };
}

describe('DatabaseAccountOwnership', () => {
  afterEach(() => jest.restoreAllMocks());

  it('should read once for the requests of two seconds, however the id is spelt', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { sut, countOwned } = setup();
    expect(sut.isKnown('ada', 'a')).toBe(false);
    expect(await sut.owns('ada', 'A')).toBe(true);
    clock.mockReturnValue(1_999);
    expect(sut.isKnown('ada', 'a')).toBe(true);
    expect(await sut.owns('ada', 'a')).toBe(true);
    expect(countOwned).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(2_000);
    expect(sut.isKnown('ada', 'a')).toBe(false);
    await sut.owns('ada', 'a');
    expect(countOwned).toHaveBeenCalledTimes(2);
  });

  it('should know nothing of other users, and not cache that an account belongs to another', async () => {
    const { sut, countOwned } = setup();
    await sut.owns('ada', 'a');
    expect(sut.isKnown('bob', 'a')).toBe(false);
    expect([await sut.owns('bob', 'a'), await sut.owns('bob', 'a')]).toEqual([false, false]);
    expect(countOwned).toHaveBeenCalledTimes(3);
  });

  it.each<[AccessChange, boolean]>([
    [{ accountId: 'a' }, false],
    [{ userId: 'ada' }, false],
    [{ accountId: 'b' }, true],
    [{ userId: 'bob' }, true],
    [{ sessionId: 'a' }, true],
  ])('should forget entries affected by a change: %j', async (change, isKnown) => {
    const { sut, announce } = setup();
    await sut.owns('ada', 'a');
    announce(change);
    expect(sut.isKnown('ada', 'a')).toBe(isKnown);
  });

  it('should read the database for several accounts', async () => {
    const { sut, countOwned } = setup();
    await sut.owns('ada', 'a');
    expect(await sut.ownsAll('ada', ['a', 'b'])).toBe(false);
    expect(countOwned).toHaveBeenCalledTimes(2);
  });
});
