import { Reflector } from '@nestjs/core';
import { guardContext } from '../../../../test/support/guard-context';
import type { DomainError } from '../../http/domain-error';
import type { UsedApiKey } from '../authenticated-user';
import { AdminOnly, Authenticated, OpenToApiKeys, OwnsAccount, ReadsOnly, SessionOnly } from '../policies';
import type { ApiKeyRefusals } from './api-key-refusals';
import { ApiKeyScopeGuard } from './api-key-scope.guard';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';

class Routes {
  @OwnsAccount()
  ofAccount(): void {}

  @OwnsAccount()
  @ReadsOnly()
  readsOnly(): void {}

  @OwnsAccount()
  @SessionOnly()
  sessionOnly(): void {}

  @Authenticated()
  @OpenToApiKeys({ confined: true })
  confined(): void {}

  @Authenticated()
  undecided(): void {}

  @AdminOnly()
  admin(): void {}

  undeclared(): void {}
}

describe('ApiKeyScopeGuard', () => {
  const record = jest.fn();
  const sut = new ApiKeyScopeGuard(new Reflector(), { record } as unknown as ApiKeyRefusals);
  const params = { accountId: ACCOUNT };

  beforeEach(() => record.mockReset());

  /** @returns the code it is refused with, or null */
  function outcome(handler: keyof Routes, request: object, key: Partial<UsedApiKey> = {}): string | null {
    const apiKey = { id: 'key', scope: 'read', accountIds: null, expiresAt: null, ...key };
    try {
      sut.canActivate(guardContext(Routes, handler, { user: { id: 'ada', apiKey }, ...request }));
      return null;
    } catch (error) {
      return (error as DomainError).code;
    }
  }

  it.each<[keyof Routes, object, Partial<UsedApiKey>, string | null]>([
    ['ofAccount', { params }, {}, null],
    ['ofAccount', { params, method: 'POST' }, {}, 'api-key-scope'],
    ['ofAccount', { params, method: 'POST' }, { scope: 'write' }, null],
    ['ofAccount', { params }, { accountIds: [ACCOUNT] }, null],
    ['ofAccount', { params }, { accountIds: [] }, 'api-key-account'],
    ['readsOnly', { params, method: 'POST' }, {}, null],
    ['sessionOnly', { params }, { scope: 'write' }, 'session-required'],
    ['confined', {}, { accountIds: [ACCOUNT] }, null],
    ['undecided', {}, { scope: 'write' }, 'session-required'],
    ['admin', {}, { scope: 'write' }, 'session-required'],
    ['undeclared', {}, { scope: 'write' }, 'session-required'],
  ])('should decide on %s with %j for a key with %j: %s', (handler, request, key, code) => {
    expect(outcome(handler, request, key)).toBe(code);
    expect(record.mock.calls).toEqual(code ? [[expect.objectContaining({ id: 'ada' }), code]] : []);
  });

  it.each([{ user: { id: 'ada', sessionId: 'session' } }, { user: null }, {}])(
    'should admit %j',
    (request) => {
      expect(sut.canActivate(guardContext(Routes, 'sessionOnly', request))).toBe(true);
      expect(record).not.toHaveBeenCalled();
    },
  );
});
