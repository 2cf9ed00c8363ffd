import { guardContext } from '../../../../test/support/guard-context';
import { AccountNotOwned } from '../access.errors';
import type { AccountOwnership } from '../account-ownership.port';
import { AccountOwnerGuard } from './account-owner.guard';

class Routes {
  read(): void {}
}

describe('AccountOwnerGuard', () => {
  const owns = jest.fn(async (userId: string, accountId: string) => userId === 'ada' && accountId === 'a');
  const isKnown = jest.fn((_userId: string, _accountId: string) => false);
  const sut = new AccountOwnerGuard({ owns, isKnown } as unknown as AccountOwnership);
  const run = async (request: object): Promise<boolean> =>
    sut.canActivate(guardContext(Routes, 'read', request));

  beforeEach(() => owns.mockClear());

  it('should not wait when the owner is known', () => {
    isKnown.mockReturnValueOnce(true);
    const request = { user: { id: 'ada' }, params: { accountId: 'a' } };
    expect(sut.canActivate(guardContext(Routes, 'read', request))).toBe(true);
    expect(isKnown).toHaveBeenCalledWith('ada', 'a');
    expect(owns).not.toHaveBeenCalled();
  });

  it('should admit the owner', async () => {
    expect(await run({ user: { id: 'ada' }, params: { accountId: 'a' } })).toBe(true);
  });

  it.each<[string, object]>([
    ['another user', { user: { id: 'bob' }, params: { accountId: 'a' } }],
    ['an administrator', { user: { id: 'bob', role: 'admin' }, params: { accountId: 'a' } }],
    ['the owner of another account', { user: { id: 'ada' }, params: { accountId: 'b' } }],
    ['nobody', { user: null, params: { accountId: 'a' } }],
    ['several accounts at once', { user: { id: 'ada' }, params: { accountId: ['a', 'a'] } }],
  ])('should refuse %s', async (_whom, request) => {
    await expect(run(request)).rejects.toThrow(AccountNotOwned);
  });

  it('should fail when the owner cannot be looked up', async () => {
    owns.mockRejectedValueOnce(new Error('away'));
    await expect(run({ user: { id: 'ada' }, params: { accountId: 'a' } })).rejects.toThrow('away');
  });

  it('should look up nothing on routes without an account', async () => {
    expect(await run({ user: { id: 'ada' }, params: { ruleId: 'r' } })).toBe(true);
    expect(owns).not.toHaveBeenCalled();
  });
});
