import { Reflector } from '@nestjs/core';
import { guardContext } from '../../../../test/support/guard-context';
import { Unauthenticated } from '../access.errors';
import { AdminOnly, Authenticated, OwnsAccount, Public } from '../policies';
import { SignedInGuard } from './signed-in.guard';

class Routes {
  @Public()
  open(): void {}

  @Authenticated()
  authenticated(): void {}

  @AdminOnly()
  admin(): void {}

  @OwnsAccount()
  ownsAccount(): void {}

  undeclared(): void {}
}

@Public()
class OpenRoutes {
  inherited(): void {}

  @Authenticated()
  closed(): void {}
}

describe('SignedInGuard', () => {
  const sut = new SignedInGuard(new Reflector());
  const user = { id: 'ada' };

  it.each(['open', 'authenticated', 'admin', 'ownsAccount'] as const)('should admit users: %s', (handler) => {
    expect(sut.canActivate(guardContext(Routes, handler, { user }))).toBe(true);
  });

  it.each(['authenticated', 'admin', 'ownsAccount', 'undeclared'] as const)(
    'should refuse anonymous requests: %s',
    (handler) => {
      for (const request of [{}, { user: null }]) {
        expect(() => sut.canActivate(guardContext(Routes, handler, request))).toThrow(Unauthenticated);
      }
    },
  );

  it('should refuse all requests to a route without a policy', () => {
    expect(() => sut.canActivate(guardContext(Routes, 'undeclared', { user }))).toThrow(Unauthenticated);
  });

  it('should admit anonymous requests to public routes', () => {
    expect(sut.canActivate(guardContext(Routes, 'open'))).toBe(true);
  });

  it('should prefer the policy of the handler to that of its controller', () => {
    expect(sut.canActivate(guardContext(OpenRoutes, 'inherited'))).toBe(true);
    expect(() => sut.canActivate(guardContext(OpenRoutes, 'closed'))).toThrow(Unauthenticated);
  });
});
