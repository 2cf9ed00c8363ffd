import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { ROUTE_POLICY, RoutePolicy } from '../src/common/auth/policies';
import { RouteTable } from '../src/common/http/route-table';
import { ApiClient } from './support/api-client';
import { startTestApp, TestApp } from './support/app';

/** Paths that need no token; everything else must answer 401 without one. */
const PUBLIC = new Set([
  'POST /api/auth/register',
  'POST /api/auth/login',
  'POST /api/auth/refresh',
  'GET /api/auth/config',
  'GET /api/auth/mailbox/callback',
  'GET /api/auth/oidc/login',
  'GET /api/auth/oidc/callback',
  'GET /health/live',
  'GET /health/ready',
  'GET /metrics',
]);

/** What an API key needs for a route; `session`: none will do. */
type KeyDecision = 'session' | 'read' | 'write';

/** POST routes that change nothing, so that a key of scope `read` is enough. */
const READING_POSTS = new Set([
  'POST /api/mailbox/:accountId/messages/batch',
  'POST /api/archive/:accountId/export-zip',
  'POST /api/import/:accountId/export-mbox',
  'POST /api/rules/:accountId/preview',
  'POST /api/privacy/:accountId/encryption/decrypt-mail',
]);

/** Routes of a user and not of one account: what keys may do there is decided one by one. */
const OF_USERS: Readonly<Record<string, KeyDecision>> = {
  'GET /api/jobs': 'read',
  'GET /api/jobs/events': 'read',
  'GET /api/jobs/:jobId': 'read',
  'GET /api/jobs/:jobId/events': 'read',
  'DELETE /api/jobs/:jobId': 'write',
  'GET /api/notifications': 'read',
  'GET /api/notifications/events': 'read',
  'POST /api/notifications/read-all': 'write',
  'PATCH /api/notifications/:notificationId/read': 'write',
  'DELETE /api/notifications/:notificationId': 'write',
  'DELETE /api/notifications': 'write',
  'GET /api/notifications/preferences': 'read',
  'PUT /api/notifications/preferences': 'write',
  'GET /api/saved-searches': 'read',
  'POST /api/saved-searches': 'write',
  'PUT /api/saved-searches/reorder': 'write',
  'PUT /api/saved-searches/:searchId': 'write',
  'DELETE /api/saved-searches/:searchId': 'write',
  'GET /api/rules/templates': 'read',
  'PATCH /api/analytics/suggestions/:suggestionId/dismiss': 'write',
  'GET /api/storage/config': 'read',
  'PUT /api/storage/config': 'write',
  // It writes an object, with the caller's credentials, wherever they say.
  'POST /api/storage/test-objstore': 'write',
  'GET /api/retention': 'read',
  'POST /api/retention': 'write',
  'POST /api/retention/run': 'write',
  'GET /api/retention/:policyId/preview': 'read',
  'PUT /api/retention/:policyId': 'write',
  'DELETE /api/retention/:policyId': 'write',
  // Addresses and secrets are in every answer.
  'GET /api/webhooks': 'write',
  'POST /api/webhooks': 'write',
  'PUT /api/webhooks/:webhookId': 'write',
  'PATCH /api/webhooks/:webhookId/toggle': 'write',
  'DELETE /api/webhooks/:webhookId': 'write',
  'POST /api/webhooks/:webhookId/test': 'write',
  'GET /api/webhooks/:webhookId/deliveries': 'write',
  // Once and for ever: a program that chose the passphrase would keep its user from their own mail.
  'POST /api/privacy/encryption/setup': 'session',
  'POST /api/privacy/encryption/verify': 'read',
  // Where and when somebody signs in is no business of their programs.
  'GET /api/audit': 'session',
  'POST /api/quota/cleanup': 'session',
};

/** Routes of users that keys bound to accounts may call: they are shown what is of these accounts. */
const CONFINED = /^(GET|DELETE) \/api\/jobs\b/;

function keyDecisionOf(method: string, path: string): KeyDecision | undefined {
  if (/^\/api\/(auth|admin)\b/.test(path)) return 'session';
  if (!path.includes(':accountId')) return OF_USERS[`${method} ${path}`];
  return method === 'GET' || READING_POSTS.has(`${method} ${path}`) ? 'read' : 'write';
}

const DOCUMENTATION = /^\/api\/(docs|openapi\.json)/;

describe('Every route', () => {
  let sut: TestApp;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
  });

  afterAll(() => sut.close());

  const routes = (): { method: string; path: string }[] =>
    sut.app
      .get(RouteTable)
      .all()
      .filter(({ path }) => !DOCUMENTATION.test(path));

  it('should declare exactly one policy', () => {
    const reflector = sut.app.get(Reflector);
    const scanner = new MetadataScanner();
    const undeclared: string[] = [];
    for (const { instance, metatype } of sut.app.get(DiscoveryService).getControllers()) {
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const handler = prototype[name]!;
        if (Reflect.getMetadata(METHOD_METADATA, handler) === undefined) continue;
        const policy = reflector.getAllAndOverride<RoutePolicy | undefined>(ROUTE_POLICY, [
          handler,
          metatype as never,
        ]);
        if (!policy) undeclared.push(`${metatype?.name}.${name}`);
      }
    }
    expect(undeclared).toEqual([]);
  });

  it('should answer 401 with a problem document without a token, unless it is public', async () => {
    expect(routes().length).toBeGreaterThan(20);
    for (const { method, path } of routes()) {
      const concrete = path.replace(/:(\w+)/g, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d');
      if (PUBLIC.has(`${method} ${path}`)) continue;
      const response = await sut.anonymous.fetch(method, concrete);
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await response.json()).toMatchObject({ code: 'unauthorized', status: 401, instance: concrete });
    }
  });

  it('should answer 403 for an account that is not the caller’s and 400 for a malformed id', async () => {
    const owner = await sut.user();
    const stranger = await sut.user();
    const accountId = await owner.connect('tiny-1@sandbox.mailroom.test');
    for (const { method, path } of routes().filter((route) => route.path.includes(':accountId'))) {
      const fill = (id: string): string =>
        path.replace(':accountId', id).replace(/:(\w+)/g, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d');
      const foreign = await stranger.api.fetch(method, fill(accountId));
      expect([method, path, foreign.status]).toEqual([method, path, 403]);
      expect(await foreign.json()).toMatchObject({ code: 'account-not-owned' });
      const malformed = await stranger.api.fetch(method, fill('not-a-uuid'));
      expect([method, path, malformed.status]).toEqual([method, path, 400]);
      expect(await malformed.json()).toMatchObject({ errors: [{ field: 'accountId' }] });
    }
  });

  describe('with an API key', () => {
    let [own, unbound]: string[] = [];
    let keys: Record<'reading' | 'writing' | 'bound' | 'boundReading', ApiClient>;

    beforeAll(async () => {
      const user = await sut.user();
      own = await user.connect('keys-1@sandbox.mailroom.test');
      unbound = await user.connect('keys-too-1@sandbox.mailroom.test');
      const key = async (choice: object): Promise<ApiClient> => {
        const { body } = await user.api.post('/api/auth/api-keys', { name: 'walk', ...choice });
        return new ApiClient(sut.url, body.key as string);
      };
      keys = {
        reading: await key({ scope: 'read' }),
        writing: await key({ scope: 'write' }),
        bound: await key({ scope: 'write', accountIds: [own] }),
        boundReading: await key({ scope: 'read', accountIds: [own] }),
      };
    });

    const closed = (): { method: string; path: string }[] =>
      routes().filter(({ method, path }) => !PUBLIC.has(`${method} ${path}`));

    /** The code a key is refused with, or null when it got past the guard. */
    const refusal = async (
      api: ApiClient,
      method: string,
      path: string,
      accountId = own,
    ): Promise<string | null> => {
      const concrete = path
        .replace(':accountId', accountId!)
        .replace(/:(\w+)/g, '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d');
      const response = await api.fetch(method, concrete);
      if (response.status !== 401 && response.status !== 403) {
        // Streams would go on for ever.
        await response.body?.cancel();
        return response.status < 500 ? null : `status ${response.status}`;
      }
      return ((await response.json()) as { code: string }).code;
    };

    it('should have been decided about', () => {
      const undecided = closed().filter(({ method, path }) => !keyDecisionOf(method, path));
      expect(undecided).toEqual([]);
      const known = new Set(routes().map(({ method, path }) => `${method} ${path}`));
      expect([...READING_POSTS, ...Object.keys(OF_USERS)].filter((route) => !known.has(route))).toEqual([]);
    });

    it('should let scope read read, and scope write everything but what is for people', async () => {
      for (const { method, path } of closed()) {
        const decision = keyDecisionOf(method, path);
        const toWriting = decision === 'session' ? 'session-required' : null;
        const toReading = decision === 'write' ? 'api-key-scope' : toWriting;
        expect([method, path, await refusal(keys.reading, method, path)]).toEqual([method, path, toReading]);
        // The bound key makes the same calls to the account below.
        if (path.includes(':accountId') && decision !== 'session') continue;
        expect([method, path, await refusal(keys.writing, method, path)]).toEqual([method, path, toWriting]);
      }
    });

    it('should keep keys bound to accounts to these', async () => {
      for (const { method, path } of closed()) {
        const decision = keyDecisionOf(method, path);
        const ofAccount = path.includes(':accountId');
        const outside = decision === 'session' ? 'session-required' : 'api-key-account';
        const reached = decision !== 'session' && (ofAccount || CONFINED.test(`${method} ${path}`));
        expect([method, path, await refusal(keys.bound, method, path)]).toEqual([
          method,
          path,
          reached ? null : outside,
        ]);
        if (!ofAccount) continue;
        expect([method, path, await refusal(keys.bound, method, path, unbound)]).toEqual([
          method,
          path,
          outside,
        ]);
        const scope = decision === 'write' ? 'api-key-scope' : outside;
        expect([method, path, await refusal(keys.boundReading, method, path, unbound)]).toEqual([
          method,
          path,
          scope,
        ]);
      }
    });
  });
});
