import type { Request } from 'express';
import { ForeignOrigin } from '../../platform/access/access.errors';
import { StrategyNames } from '../../platform/access/guards/strategy-names';
import type { AppConfig } from '../../platform/config/app-config';
import { JwtStrategy } from './jwt.strategy';
import type { SessionCache } from './session-cache';
import type { SessionTokens } from './session-tokens';

const ORIGIN = 'https://mail.example.org';

const LIVE = { sessionId: 'alive', userId: 'ada', email: 'ada@example.org', role: 'user' };

/** Tokens are `user/session`; only Ada's session is alive. */
function setup() {
  const readAccessToken = jest.fn((token: string) => {
    const [userId, sessionId] = token.split('/');
    return userId && sessionId ? { userId, sessionId } : null;
  });
  const find = jest.fn(async (sessionId: string) => (sessionId === 'alive' ? LIVE : null));
  const findCached = jest.fn((sessionId: string) => (sessionId === 'alive' ? LIVE : undefined));
  const sut = new JwtStrategy(
    new StrategyNames(),
    { http: { appUrl: `${ORIGIN}/mailroom` } } as AppConfig,
    { readAccessToken } as unknown as SessionTokens,
    { find, findCached } as unknown as SessionCache,
  );
  return { sut, find, findCached };
}

interface Carried {
  readonly authorization?: string;
  readonly cookie?: unknown;
  readonly method?: string;
  readonly origin?: string;
}

function aRequest({ authorization, cookie, method = 'GET', origin }: Carried): Request {
  const headers: Record<string, string | undefined> = { authorization, origin };
  return {
    method,
    get: (name: string) => headers[name],
    cookies: { mailroom_access: cookie },
  } as unknown as Request;
}

const ADA = { id: 'ada', email: 'ada@example.org', role: 'user', sessionId: 'alive' };

describe('JwtStrategy', () => {
  it.each<[string, Carried]>([
    ['a bearer token', { authorization: 'Bearer ada/alive' }],
    ['a bearer token, however it is spelt', { authorization: 'bEARER ada/alive' }],
    ['a cookie', { cookie: 'ada/alive' }],
    ['a cookie beside an empty bearer token', { authorization: 'Bearer ', cookie: 'ada/alive' }],
    ['a cookie beside other credentials', { authorization: 'Basic xyz', cookie: 'ada/alive' }],
    [
      'a bearer token from anywhere',
      { authorization: 'Bearer ada/alive', method: 'POST', origin: 'https://x.test' },
    ],
    ['a cookie from the application', { cookie: 'ada/alive', method: 'POST', origin: ORIGIN }],
    ['a cookie that reads, from anywhere', { cookie: 'ada/alive', origin: 'https://x.test' }],
  ])('should return the user for %s', async (_what, carried) => {
    const { sut, find } = setup();
    expect(sut.find(aRequest(carried))).toEqual(ADA);
    expect(find).not.toHaveBeenCalled();
    expect(await sut.callerOf(aRequest(carried))).toEqual(ADA);
  });

  it.each<[string, Carried]>([
    ['nothing', {}],
    ['a cookie beside a bad bearer token', { authorization: 'Bearer nonsense', cookie: 'ada/alive' }],
    ['a cookie beside an API key', { authorization: 'Bearer mrk_1', cookie: 'ada/alive' }],
    ['the token of an ended session', { authorization: 'Bearer ada/over' }],
    ['a token that names another user’s session', { authorization: 'Bearer bob/alive' }],
    ['a cookie that is not text', { cookie: { user: 'ada' } }],
  ])('should not return a user for %s', async (_what, carried) => {
    const { sut } = setup();
    expect(sut.find(aRequest(carried))).toBeUndefined();
    expect(await sut.callerOf(aRequest(carried))).toBeNull();
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'should refuse a %s with a cookie from another origin',
    async (method) => {
      for (const origin of [
        undefined,
        'null',
        'https://x.test',
        `${ORIGIN}.x.test`,
        'http://mail.example.org',
      ]) {
        const { sut, find } = setup();
        expect(() => sut.find(aRequest({ cookie: 'ada/alive', method, origin }))).toThrow(ForeignOrigin);
        await expect(sut.callerOf(aRequest({ cookie: 'ada/alive', method, origin }))).rejects.toThrow(
          ForeignOrigin,
        );
        expect(find).not.toHaveBeenCalled();
      }
    },
  );
});
