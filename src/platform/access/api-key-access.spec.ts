import type { DomainError } from '../http/domain-error';
import { checkApiKeyAccess, RouteForKeys } from './api-key-access';
import type { UsedApiKey } from './authenticated-user';
import type { ApiKeyRule, RoutePolicy } from './policies';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const OTHER = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e';

const aKey = (changes: Partial<UsedApiKey> = {}): UsedApiKey => ({
  id: 'k',
  scope: 'write',
  accountIds: null,
  expiresAt: null,
  ...changes,
});

const aRoute = (changes: Partial<RouteForKeys> = {}): RouteForKeys => ({
  policy: 'owns-account',
  method: 'GET',
  rule: undefined,
  readsOnly: false,
  accountId: ACCOUNT,
  ...changes,
});

const refusal = (key: UsedApiKey, route: RouteForKeys): string | null => {
  try {
    checkApiKeyAccess(key, route);
    return null;
  } catch (error) {
    return (error as DomainError).code;
  }
};

describe('checkApiKeyAccess', () => {
  it.each<[string, RoutePolicy | undefined, ApiKeyRule | undefined, string | null]>([
    ['an account’s', 'owns-account', undefined, null],
    ['an account’s, for people', 'owns-account', 'session-only', 'session-required'],
    ['an undecided', 'authenticated', undefined, 'session-required'],
    ['an opened', 'authenticated', {}, null],
    ['a closed', 'authenticated', 'session-only', 'session-required'],
    ['an administrator’s', 'admin', undefined, 'session-required'],
    ['an administrator’s, opened by mistake', 'admin', {}, 'session-required'],
    ['an undeclared', undefined, {}, 'session-required'],
  ])('should decide on %s route', (_name, policy, rule, code) => {
    expect(refusal(aKey(), aRoute({ policy, rule }))).toBe(code);
  });

  it.each<[string, boolean, ApiKeyRule | undefined, string | null]>([
    ['GET', false, undefined, null],
    ['HEAD', false, undefined, null],
    ['GET', false, { needs: 'write' }, 'api-key-scope'],
    ['POST', false, undefined, 'api-key-scope'],
    ['POST', true, undefined, null],
    ['POST', true, { needs: 'write' }, 'api-key-scope'],
    ['PUT', false, {}, 'api-key-scope'],
    ['PATCH', false, undefined, 'api-key-scope'],
    ['DELETE', false, undefined, 'api-key-scope'],
    ['OPTIONS', false, undefined, 'api-key-scope'],
    ['get', false, undefined, 'api-key-scope'],
  ])('should decide for scope read on %s, reading only %s, rule %j', (method, readsOnly, rule, code) => {
    const route = aRoute({ method, readsOnly, rule });
    expect(refusal(aKey({ scope: 'read' }), route)).toBe(code);
    expect(refusal(aKey({ scope: 'write' }), route)).toBeNull();
  });

  it.each<[string, readonly string[] | null, string | undefined, ApiKeyRule | undefined, string | null]>([
    ['its account', [OTHER, ACCOUNT], ACCOUNT, undefined, null],
    ['its account in capitals', [ACCOUNT], ACCOUNT.toUpperCase(), undefined, null],
    ['another account', [OTHER], ACCOUNT, undefined, 'api-key-account'],
    ['another account, confined', [OTHER], ACCOUNT, { confined: true }, 'api-key-account'],
    ['any account without one of its own', [], ACCOUNT, undefined, 'api-key-account'],
    ['no account', [ACCOUNT], undefined, {}, 'api-key-account'],
    ['no account, confined', [ACCOUNT], undefined, { confined: true }, null],
    ['no account, unbound', null, undefined, {}, null],
  ])(
    'should decide for a key bound to accounts on a route of %s',
    (_name, accountIds, accountId, rule, code) => {
      const policy = accountId === undefined ? 'authenticated' : 'owns-account';
      expect(refusal(aKey({ accountIds }), aRoute({ policy, accountId, rule }))).toBe(code);
    },
  );

  it('should answer alike for every account that a key is not bound to, before looking up its owner', () => {
    const key = aKey({ scope: 'read', accountIds: [OTHER] });
    expect(refusal(key, aRoute({ method: 'POST' }))).toBe('api-key-scope');
    expect(refusal(key, aRoute({ rule: 'session-only' }))).toBe('session-required');
  });
});
