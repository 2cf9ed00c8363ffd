import { GLOBAL_GUARDS } from './global-guards';

describe('GLOBAL_GUARDS', () => {
  it('should run in this order: in any other, one counts, refuses or looks up something too early', () => {
    expect(GLOBAL_GUARDS.map(({ name }) => name)).toEqual([
      'JwtAuthGuard',
      'RateLimitGuard',
      'SignedInGuard',
      'PathIdsGuard',
      'ApiKeyScopeGuard',
      'AdminGuard',
      'AccountOwnerGuard',
      'DatabaseUseGuard',
      'JsonBodyGuard',
    ]);
  });
});
