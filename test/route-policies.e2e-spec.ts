import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { ROUTE_POLICY, RoutePolicy } from '../src/common/auth/policies';
import { RouteTable } from '../src/common/http/route-table';
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
});
