import { isUuidParameter } from '../../../../src/platform/access/guards/path-ids.guard';
import { RouteTable } from '../../../../src/platform/http/route-table';
import { startTestApp, TestApp } from '../../../support/app';
import type { TestUser } from '../../../support/test-user';
import { waitFor } from '../../../support/wait';
import { WebhookReceiver } from '../../../support/webhooks/receiver';
import { closeConnections, exchange, WireRequest } from '../../../support/world/exchange';
import { canNameAccount, isOpenToBoundKeys, Operation, OPERATIONS } from '../../../support/world/operations';
import { referencesOf, undecidedReferences } from '../../../support/world/references';
import {
  derive,
  fill,
  gaps,
  isForAdmins,
  isOverriddenAsInvalid,
  toWire,
  ValidRequest,
} from '../../../support/world/requests';
import { problemOf } from '../../../support/world/resources';
import { differences, Snapshot, takeSnapshot } from '../../../support/world/snapshot';
import { Claims, claimsOf, forge } from '../../../support/world/tokens';
import { World } from '../../../support/world/world';

/** Operations that need no token. */
const PUBLIC = [
  'GET /api/auth/config',
  'GET /api/auth/mailbox/callback',
  'GET /api/auth/oidc/callback',
  'GET /api/auth/oidc/login',
  'GET /health/live',
  'GET /health/ready',
  'POST /api/auth/invitation',
  'POST /api/auth/invitation/accept',
  'POST /api/auth/login',
  'POST /api/auth/passkeys/sign-in',
  'POST /api/auth/passkeys/sign-in/options',
  'POST /api/auth/password-reset',
  'POST /api/auth/password-reset/complete',
  'POST /api/auth/refresh',
  'POST /api/auth/register',
];
/** Operations for administrators outside of /api/admin. */
const OF_ADMINS = ['POST /api/quota/cleanup'];
/** Routes that are not in the document: it is about itself, and metrics have a switch of their own. */
const UNDOCUMENTED = /^GET (\/api\/docs|\/api\/openapi\.json|\/metrics)/;

/** What must be refused, and how. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Of the only error of a validation failure. */
  readonly field?: string;
}

interface Attempt {
  readonly name: string;
  readonly wire: WireRequest;
  readonly refusal: Refusal;
}

const UNAUTHORIZED: Refusal = { status: 401, code: 'unauthorized' };
const NOT_OWNED: Refusal = { status: 403, code: 'account-not-owned' };
const NOT_ADMIN: Refusal = { status: 403, code: 'admin-required' };
const MALFORMED: Refusal = { status: 400, code: 'malformed-json' };

/** The refusal of a resource that a path parameter names. */
function notFound(operation: Operation, parameter: string): Refusal {
  const { status, code } = problemOf(operation, parameter);
  if (code === undefined) throw new Error(`${operation.key} documents no ${parameter} that is not found`);
  return { status, code };
}

const CLOSED = OPERATIONS.filter(({ needsToken }) => needsToken);
const OF_ACCOUNTS = CLOSED.filter(({ pathParameters }) => pathParameters.includes('accountId'));

describe('Every operation of the document', () => {
  let sut: TestApp;
  let receiver: WebhookReceiver;
  let admin: TestUser;
  /** Whose resources everybody is after. */
  let owner: World;
  /** A user like the owner, with the same sort of everything. */
  let stranger: World;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
    receiver = await WebhookReceiver.start();
    admin = await sut.user('admin');
    [stranger, owner] = (await Promise.all(
      ['stranger', 'owner'].map((name, serial) => World.create(sut, { name, serial, admin, receiver })),
    )) as [World, World];
  });

  afterAll(async () => {
    closeConnections();
    await sut?.close();
    await receiver?.close();
  });

  const send = (wire: WireRequest): ReturnType<typeof exchange> => exchange(sut.url, wire);

  /** Everything there is, the state of mailboxes and what webhooks were told included. */
  async function everything(): Promise<Snapshot> {
    const elsewhere: string[] = receiver.received.map(({ path }, index) => `webhook ${index}: ${path}`);
    for (const { mailbox, user, accountId } of [owner, stranger]) {
      for (const id of mailbox.ids()) elsewhere.push(`${mailbox.email} ${id}: ${mailbox.labels(id).join()}`);
      const { status, bytes } = await user.api.get(`/api/mailbox/${accountId}/labels`);
      if (status === 200) elsewhere.push(`${mailbox.email} labels: ${bytes.toString()}`);
    }
    return takeSnapshot(sut.dataSource, sut.env['DATA_DIR']!, elsewhere);
  }

  /** Makes all attempts and has each refused as it should be, without any effect. */
  async function refuse(attempts: readonly Attempt[]): Promise<void> {
    expect(attempts.length).toBeGreaterThan(0);
    const before = await everything();
    const outcomes = await Promise.all(
      attempts.map(async ({ name, wire, refusal }) => {
        const { status, headers, body } = await send(wire);
        const isProblem = headers['content-type']?.startsWith('application/problem+json') ?? false;
        const told: unknown = wire.method === 'HEAD' ? refusal.code : (body?.code ?? `problem: ${isProblem}`);
        const fields = refusal.field && (body?.errors as { field: string }[])?.map(({ field }) => field);
        return status === refusal.status &&
          told === refusal.code &&
          isProblem &&
          (!fields || fields.join() === refusal.field)
          ? []
          : [`${name}: ${status} ${String(told)} ${String(fields)}, not ${refusal.status} ${refusal.code}`];
      }),
    );
    expect(outcomes.flat()).toEqual([]);
    expect(differences(before, await everything())).toEqual([]);
  }

  const attempt = (request: ValidRequest, token: string | null, refusal: Refusal): Attempt => ({
    name: request.operation.key,
    wire: toWire(request, token),
    refusal,
  });

  /** The same as HEAD, for operations that can be asked so. */
  const withHead = (attempts: readonly Attempt[]): Attempt[] => [
    ...attempts,
    ...attempts
      .filter(({ wire }) => wire.method === 'GET')
      .map(({ name, wire, refusal }) => ({
        name: `HEAD of ${name}`,
        wire: { ...wire, method: 'HEAD' },
        refusal,
      })),
  ];

  const withParameter = (request: ValidRequest, name: string, value: string): ValidRequest => ({
    ...request,
    parameters: { ...request.parameters, [name]: value },
  });

  const callerOf = (operation: Operation, world: World): string =>
    isForAdmins(operation) ? admin.api.token! : world.token;

  describe('compared with the routes', () => {
    it('should be routed, and every route documented', () => {
      const routes = sut.app
        .get(RouteTable)
        .all()
        .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
        .filter((route) => !UNDOCUMENTED.test(route));
      expect(OPERATIONS.map(({ key }) => key).sort()).toEqual(routes.sort());
    });

    it('should have a valid request in the test world, and the world its resources', () => {
      expect(gaps(OPERATIONS)).toEqual([]);
      for (const operation of OPERATIONS) fill(operation, owner);
    });

    it('should require a token unless it is named here', () => {
      const open = OPERATIONS.filter(({ needsToken }) => !needsToken).map(({ key }) => key);
      expect(open.sort()).toEqual(PUBLIC);
    });

    it('should require an administrator under /api/admin, and elsewhere where it is named here', () => {
      const expected = OPERATIONS.filter(
        ({ key, path }) => path.startsWith('/api/admin/') || OF_ADMINS.includes(key),
      );
      const found = OPERATIONS.filter(isForAdmins);
      expect(found.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
    });
  });

  describe('without a valid token', () => {
    /** @param token for every operation: the owner's request, with the token of somebody who may not make it */
    const all = (token: string | null): Attempt[] =>
      CLOSED.map((operation) => attempt(fill(operation, owner), token, UNAUTHORIZED));

    it('should refuse requests without one, HEAD included', () => refuse(withHead(all(null))));

    it.each<[string, (claims: Claims, secret: string) => string]>([
      ['is none', () => 'not.a.token'],
      [
        'is over',
        (claims, secret) => forge({ ...claims, iat: claims.iat - 3600, exp: claims.iat - 1 }, secret),
      ],
      ['somebody else has signed', (claims) => forge(claims, 'the key of somebody else, which is as long')],
      ['nobody has signed', (claims) => forge(claims, null)],
    ])('should refuse a token that %s', async (_name, make) => {
      const [claims, secret] = [claimsOf(owner.token), sut.env['JWT_SECRET']!];
      // Forging works: only what is meant to be wrong is.
      const { status } = await send({
        method: 'GET',
        target: '/api/auth/me',
        headers: { authorization: `Bearer ${forge(claims, secret)}` },
      });
      expect(status).toBe(200);
      await refuse(all(make(claims, secret)));
    });

    it('should refuse every other invalid token, a different one at every operation', async () => {
      const { token } = owner;
      const [claims, secret] = [claimsOf(token), sut.env['JWT_SECRET']!];
      const { sid: _sid, ...sessionless } = claims;
      const strangersSession = forge({ ...claims, sid: claimsOf(stranger.token).sid }, secret);
      const headers: Record<string, string>[] = [
        { authorization: 'Bearer ' },
        { authorization: token },
        { authorization: `Basic ${token}` },
        { authorization: `Bearer ${token.slice(0, -4)}` },
        { authorization: `Bearer ${forge(claims, secret, 'none')}` },
        { authorization: `Bearer ${forge(claims, secret, 'HS512')}` },
        { authorization: `Bearer ${forge(sessionless, secret)}` },
        { authorization: `Bearer ${strangersSession}` },
        { authorization: 'Bearer mrk_0000000000000000000000000000000000000000000' },
        { 'x-access-token': token },
        { cookie: `access=${token}` },
      ];
      await refuse(
        all(null).map(({ name, wire, refusal }, index) => ({
          name,
          wire: { ...wire, headers: { ...wire.headers, ...headers[index % headers.length] } },
          refusal,
        })),
      );
    });

    it('should refuse a refresh token', () => refuse(all(owner.refreshToken)));

    it('should refuse the token of a session that has ended', async () => {
      const { email, password } = owner.user;
      const { body } = await sut.anonymous.post('/api/auth/login', { email, password });
      const token = body.access_token as string;
      const bearer = { authorization: `Bearer ${token}` };
      expect((await send({ method: 'GET', target: '/api/auth/me', headers: bearer })).status).toBe(200);
      expect((await send({ method: 'POST', target: '/api/auth/logout', headers: bearer })).status).toBe(204);
      await refuse(all(token));
    });
  });

  describe('with ids that are not UUIDs', () => {
    it('should answer 400 naming the parameter, for any caller', () =>
      refuse(
        withHead(
          CLOSED.flatMap((operation) =>
            operation.pathParameters.filter(isUuidParameter).flatMap((name) =>
              [callerOf(operation, owner), stranger.token].map((token) =>
                attempt(withParameter(fill(operation, owner), name, 'not-a-uuid'), token, {
                  status: 400,
                  code: 'validation-failed',
                  field: name,
                }),
              ),
            ),
          ),
        ),
      ));
  });

  describe('of another user’s account', () => {
    it('should answer 403, HEAD included', () =>
      refuse(
        withHead(OF_ACCOUNTS.map((operation) => attempt(fill(operation, owner), stranger.token, NOT_OWNED))),
      ));

    it('should answer 403 to administrators', () =>
      refuse(OF_ACCOUNTS.map((operation) => attempt(fill(operation, owner), admin.api.token, NOT_OWNED))));

    it('should answer 403 for any body', () =>
      refuse(
        OF_ACCOUNTS.filter(({ body }) => body).map((operation) => {
          const { name, wire, refusal } = attempt(fill(operation, owner), stranger.token, NOT_OWNED);
          return { name, wire: { ...wire, body: Buffer.from('{') }, refusal };
        }),
      ));
  });

  describe('of another user’s resource', () => {
    /** Not resources by themselves: a part is one of a message, and the newsletters of an unknown sender are none. */
    const NO_RESOURCES = ['accountId', 'partId', 'senderEmail', 'userId'];
    const OF_RESOURCES = CLOSED.filter((operation) => !isForAdmins(operation)).flatMap((operation) =>
      operation.pathParameters
        .filter((name) => !NO_RESOURCES.includes(name))
        .map((name) => ({ operation, name })),
    );

    it('should answer 404 under the other user’s own account', () =>
      refuse(
        withHead(
          OF_RESOURCES.map(({ operation, name }) =>
            attempt(
              withParameter(fill(operation, stranger), name, owner.parameters[name]!),
              stranger.token,
              notFound(operation, name),
            ),
          ),
        ),
      ));

    it('should answer 404 under another account of the owner', () =>
      refuse(
        OF_RESOURCES.filter(({ operation }) => operation.pathParameters.includes('accountId')).map(
          ({ operation, name }) =>
            attempt(
              withParameter(fill(operation, owner), 'accountId', owner.spareAccountId),
              owner.token,
              notFound(operation, name),
            ),
        ),
      ));

    it('should answer 400 to an invalid body before it reports a missing resource', () =>
      refuse(
        OF_RESOURCES.filter(({ operation }) => operation.body).map(({ operation, name }) => {
          const request = withParameter(fill(operation, stranger), name, owner.parameters[name]!);
          const { wire, ...rest } = attempt(request, stranger.token, MALFORMED);
          return { ...rest, wire: { ...wire, body: Buffer.from('{') } };
        }),
      ));
  });

  describe('that names another user’s resource in its query or body', () => {
    it('should all be listed here', () => expect(undecidedReferences(OPERATIONS, owner)).toEqual([]));

    it.each(
      referencesOf(OPERATIONS).map(
        (reference) => [`${reference.operation.key} ${reference.field}`, reference] as const,
      ),
    )('should not reach it: %s', async (_name, { operation, change, answer }) => {
      const before = await everything();
      const wire = toWire(change(fill(operation, stranger), owner), stranger.token);
      const { status, body, bytes } = await send(wire);
      expect({ status, body }).toMatchObject(answer);
      // Some answers repeat what was sent.
      const sent = `${wire.target} ${String(wire.body)}`;
      const ids = [owner.user.id, owner.mailbox.email, ...Object.values(owner.parameters)];
      expect(ids.filter((id) => id.length > 8 && !sent.includes(id) && bytes.includes(id))).toEqual([]);
      await stranger.settled();
      const ofOwner = [owner.user.id, owner.accountId, owner.mailbox.email, 'webhook'];
      const changes = differences(before, await everything());
      expect(changes.filter((line) => ofOwner.some((needle) => line.includes(needle)))).toEqual([]);
    });

    it('should not return the owner’s job for the same idempotency key', async () => {
      const operation = OPERATIONS.find(({ key }) => key === 'POST /api/privacy/{accountId}/pii/scan')!;
      const start = async (world: World): Promise<string> => {
        const request = { ...fill(operation, world), headers: { 'idempotency-key': 'the same' } };
        const { status, body } = await send(toWire(request, world.token));
        expect(status).toBe(202);
        return body.jobId as string;
      };
      const [first, second] = [await start(owner), await start(stranger)];
      expect(second).not.toBe(first);
      await Promise.all([owner.settled(), stranger.settled()]);
    });
  });

  describe('for administrators', () => {
    it('should answer 403 to all others, HEAD included', () =>
      refuse(
        withHead(
          CLOSED.filter(isForAdmins).map((operation) =>
            attempt(fill(operation, owner), owner.token, NOT_ADMIN),
          ),
        ),
      ));
  });

  describe('with an API key', () => {
    const SCOPE: Refusal = { status: 403, code: 'api-key-scope' };
    const SESSION: Refusal = { status: 403, code: 'session-required' };
    const OUTSIDE: Refusal = { status: 403, code: 'api-key-account' };
    const FOR_KEYS = CLOSED.filter(({ keyScope }) => keyScope !== 'none');
    /** Where people prove themselves, and where administrators act for all. */
    const OF_PEOPLE = /^\/api\/(auth|admin)\b/;

    async function newKey(user: TestUser, choice: object): Promise<{ id: string; key: string }> {
      const { status, body } = await user.api.post('/api/auth/api-keys', { name: 'Matrix', ...choice });
      expect(status).toBe(201);
      return body as { id: string; key: string };
    }

    const all = (operations: readonly Operation[], key: string, refusal: Refusal): Attempt[] =>
      withHead(operations.map((operation) => attempt(fill(operation, owner), key, refusal)));

    it('should have a documented scope, and none where users authenticate', () => {
      expect(CLOSED.filter(({ keyScope }) => !keyScope).map(({ key }) => key)).toEqual([]);
      const closed = CLOSED.filter((operation) => OF_PEOPLE.test(operation.path) || isForAdmins(operation));
      expect(closed.filter((operation) => FOR_KEYS.includes(operation)).map(({ key }) => key)).toEqual([]);
    });

    it('should refuse a key of scope read, unless it only reads', async () => {
      const { key } = await newKey(owner.user, { scope: 'read' });
      await refuse(
        all(
          CLOSED.filter(({ keyScope }) => keyScope === 'write'),
          key,
          SCOPE,
        ),
      );
    });

    it('should refuse all keys where a session is required', async () => {
      const { key } = await newKey(owner.user, { scope: 'write' });
      await refuse(
        all(
          CLOSED.filter(({ keyScope }) => keyScope === 'none'),
          key,
          SESSION,
        ),
      );
    });

    it('should refuse keys of administrators where administrators are allowed', async () => {
      const { key } = await newKey(admin, { scope: 'write' });
      await refuse(all(CLOSED.filter(isForAdmins), key, SESSION));
    });

    it('should refuse a key that is bound to another account', async () => {
      const { key } = await newKey(owner.user, { scope: 'write', accountIds: [owner.spareAccountId] });
      const closed = FOR_KEYS.filter(
        (operation) => OF_ACCOUNTS.includes(operation) || !isOpenToBoundKeys(operation),
      );
      const naming = FOR_KEYS.filter(canNameAccount).map((operation) => {
        const request = fill(operation, owner);
        return attempt({ ...request, query: { ...request.query, accountId: owner.accountId } }, key, OUTSIDE);
      });
      await refuse([...all(closed, key, OUTSIDE), ...withHead(naming)]);
      // A job of the account it is not bound to.
      await owner.app.dataSource.query('UPDATE jobs SET mailbox_account_id = $1 WHERE number = $2', [
        owner.accountId,
        owner.parameters['jobId']!.split('-')[1],
      ]);
      const ofJobs = FOR_KEYS.filter(({ pathParameters }) => pathParameters.includes('jobId'));
      await refuse(ofJobs.flatMap((operation) => all([operation], key, notFound(operation, 'jobId'))));
    });

    it('should refuse a key of another user, whatever its scope', async () => {
      const { key } = await newKey(stranger.user, { scope: 'write' });
      const ofAccounts = FOR_KEYS.filter((operation) => OF_ACCOUNTS.includes(operation));
      await refuse(all(ofAccounts, key, NOT_OWNED));
    });

    it('should refuse an expired and a deleted key', async () => {
      const expired = await newKey(owner.user, {
        scope: 'write',
        expires_at: new Date(Date.now() + 60_000).toISOString(),
      });
      await sut.dataSource.query(`UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE id = $1`, [
        expired.id,
      ]);
      const deleted = await newKey(owner.user, { scope: 'write' });
      expect((await owner.user.api.delete(`/api/auth/api-keys/${deleted.id}`)).status).toBe(204);
      await refuse([expired, deleted].flatMap(({ key }) => all(CLOSED, key, UNAUTHORIZED)));
    });

    describe('with sufficient scope', () => {
      const NOBODY = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
      /** Operations that are refused for what the caller may not do, with or without anything to do it to. */
      async function refused(
        key: string,
        accountId: string,
        operations: readonly Operation[],
      ): Promise<string[]> {
        const outcomes = operations.map(async (operation) => {
          const parameters = Object.fromEntries(operation.pathParameters.map((name) => [name, NOBODY]));
          const request = { ...fill(operation, stranger), body: undefined, file: undefined, query: {} };
          const { status, body } = await send(
            toWire({ ...request, parameters: { ...parameters, accountId } }, key),
          );
          return status === 401 || status === 403 || status >= 500
            ? [`${operation.key}: ${status} ${body?.code}`]
            : [];
        });
        return (await Promise.all(outcomes)).flat();
      }

      it('should be accepted', async () => {
        const user = await sut.user();
        const accountId = await user.connect('keys-1@sandbox.mailroom.test');
        const reading = await newKey(user, { scope: 'read' });
        const writing = await newKey(user, { scope: 'write' });
        const bound = await newKey(user, { scope: 'write', accountIds: [accountId] });
        const reads = FOR_KEYS.filter(({ keyScope }) => keyScope === 'read');
        expect(await refused(reading.key, accountId, reads)).toEqual([]);
        expect(await refused(writing.key, accountId, FOR_KEYS)).toEqual([]);
        expect(await refused(bound.key, accountId, FOR_KEYS.filter(isOpenToBoundKeys))).toEqual([]);
      });
    });
  });

  describe('by its owner', () => {
    /** After those not everything is there any more: what has most parameters first, the session last. */
    const rank = ({ key, method, pathParameters }: Operation): number => {
      if (key === 'POST /api/auth/logout') return 10;
      // Others prove themselves with the password that was.
      if (key === 'POST /api/auth/password') return 9;
      if (key === 'DELETE /api/auth/mailbox/{accountId}') return 9;
      return method === 'DELETE' ? 8 - pathParameters.length : 0;
    };

    it('should succeed, or be refused for the reason given in the test world', async () => {
      const outcomes: string[] = [];
      for (const operation of [...OPERATIONS].sort((a, b) => rank(a) - rank(b))) {
        const request = fill(operation, owner);
        const token = { owner: owner.token, admin: admin.api.token, nobody: null }[request.caller];
        const { answer } = request;
        if (isOverriddenAsInvalid(operation, owner)) {
          const derived = await send(toWire(derive(operation, owner), token));
          if (derived.status === answer.status && (!answer.code || derived.body?.code === answer.code))
            outcomes.push(
              `${operation.key}: its entry in OVERRIDES of test/support/world/requests.ts is needless`,
            );
        }
        const { status, body } = await send(toWire(request, token));
        if (status !== answer.status || (answer.code && body?.code !== answer.code))
          outcomes.push(
            `${operation.key}: ${status} ${body?.code ?? ''}, not ${answer.status} ${answer.code ?? ''}`,
          );
        expect(operation.statuses).toContain(status);
        // Toggled off for the rest it would be away.
        if (operation.key.endsWith('{accountId}/toggle')) await send(toWire(request, token));
      }
      expect(outcomes).toEqual([]);
    });
  });

  describe('with the token of a user who is no longer active', () => {
    it('should be refused', async () => {
      await waitFor('jobs to end', async () => {
        const [{ open }] = await sut.dataSource.query(
          `SELECT count(*)::int AS open FROM jobs WHERE status IN ('pending', 'active') AND user_id <> $1`,
          [stranger.user.id],
        );
        return open === 0;
      });
      const { status } = await admin.api.patch(`/api/admin/users/${stranger.user.id}`, { is_active: false });
      expect(status).toBe(200);
      await refuse(
        CLOSED.map((operation) => attempt(fill(operation, stranger), stranger.token, UNAUTHORIZED)),
      );
    });
  });
});
