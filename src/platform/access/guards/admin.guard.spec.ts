import { Reflector } from '@nestjs/core';
import { guardContext } from '../../../../test/support/guard-context';
import { AdminRequired } from '../access.errors';
import { AdminOnly, Authenticated } from '../policies';
import { AdminGuard } from './admin.guard';

class Routes {
  @AdminOnly()
  forAdmins(): void {}

  @Authenticated()
  forUsers(): void {}
}

describe('AdminGuard', () => {
  const sut = new AdminGuard(new Reflector());

  it('should admit administrators', () => {
    expect(sut.canActivate(guardContext(Routes, 'forAdmins', { user: { role: 'admin' } }))).toBe(true);
  });

  it.each([{ user: { role: 'user' } }, { user: {} }, { user: null }, {}])('should refuse %j', (request) => {
    expect(() => sut.canActivate(guardContext(Routes, 'forAdmins', request))).toThrow(AdminRequired);
  });

  it('should admit all users on other routes', () => {
    expect(sut.canActivate(guardContext(Routes, 'forUsers', { user: { role: 'user' } }))).toBe(true);
  });
});
