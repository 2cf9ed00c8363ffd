import { SandboxServer, startSandbox } from './sandbox-server';
import type { SandboxFaultAnswer, SandboxOptions } from './types';
import { signIn, type SignIn } from './sign-in';

let sandbox: SandboxServer;
let tokens: SignIn;

async function start(options: SandboxOptions = {}): Promise<void> {
  sandbox = await startSandbox({ messages: 40, ...options });
  tokens = await signIn(sandbox);
}
afterEach(() => sandbox.close());

const call = (path: string, init: RequestInit = {}, token = tokens.accessToken): Promise<Response> =>
  fetch(`${sandbox.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
const profile = (): Promise<Response> => call('/gmail/v1/users/me/profile');
const token = (form: Record<string, string>): Promise<Response> =>
  fetch(sandbox.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({ client_id: sandbox.clientId, client_secret: sandbox.clientSecret, ...form }),
  });

describe('OAuth', () => {
  it('should refuse consent for deny@, and a wrong verifier, secret or reused code', async () => {
    await start();
    const authorize = (extra: Record<string, string>): Promise<Response> =>
      fetch(
        `${sandbox.authUrl}?${new URLSearchParams({ client_id: sandbox.clientId, redirect_uri: 'http://127.0.0.1:1/cb', response_type: 'code', scope: 'https://mail.google.com/', state: 's 1', ...extra }).toString()}`,
        { redirect: 'manual' },
      );
    const denied = new URL(
      (await authorize({ login_hint: 'deny@x.test' })).headers.get('location') as string,
    );
    expect(denied.searchParams.get('error')).toBe('access_denied');
    expect(denied.searchParams.get('state')).toBe('s 1');
    expect((await authorize({ client_id: 'other' })).status).toBe(400);

    const given = new URL(
      (await authorize({ code_challenge: 'x', code_challenge_method: 'S256' })).headers.get(
        'location',
      ) as string,
    );
    const form = {
      grant_type: 'authorization_code',
      code: given.searchParams.get('code') as string,
      redirect_uri: 'http://127.0.0.1:1/cb',
    };
    expect(await (await token(form)).json()).toEqual({
      error: 'invalid_grant',
      error_description: 'Missing code verifier.',
    });
    expect((await token({ ...form, code_verifier: 'wrong' })).status).toBe(400);
    const wrongSecret = await token({ ...form, client_secret: 'no' });
    expect([wrongSecret.status, await wrongSecret.json()]).toMatchObject([401, { error: 'invalid_client' }]);

    const plainCode = new URL((await authorize({})).headers.get('location') as string).searchParams.get(
      'code',
    ) as string;
    const first = await token({ ...form, code: plainCode });
    expect(await first.json()).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      scope: 'https://mail.google.com/',
      token_type: 'Bearer',
    });
    expect((await token({ ...form, code: plainCode })).status).toBe(400);
  });

  it('should accept tokens after a restart, but not once revoked', async () => {
    await start();
    await sandbox.close();
    const { refreshToken } = tokens;
    sandbox = await startSandbox({ messages: 10 });
    expect((await profile()).status).toBe(200);
    const refreshed = (await (
      await token({ grant_type: 'refresh_token', refresh_token: refreshToken })
    ).json()) as Record<string, string>;
    expect(refreshed.refresh_token).toBeUndefined();
    expect(sandbox.stats.tokenRefreshes).toBe(1);
    expect(
      (await fetch(`${sandbox.revokeUrl}?token=${encodeURIComponent(refreshToken)}`, { method: 'POST' }))
        .status,
    ).toBe(200);
    expect((await call('/gmail/v1/users/me/profile', {}, refreshed.access_token as string)).status).toBe(401);
    expect(await (await token({ grant_type: 'refresh_token', refresh_token: refreshToken })).json()).toEqual({
      error: 'invalid_grant',
      error_description: 'Token has been expired or revoked.',
    });
    tokens = await signIn(sandbox);
    expect((await profile()).status).toBe(200);
  });

  it('should answer 401 in the API’s format to a forged or missing token', async () => {
    await start();
    const answer = await call('/gmail/v1/users/me/profile', {}, `${tokens.accessToken}x`);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({
      error: {
        code: 401,
        status: 'UNAUTHENTICATED',
        errors: [{ reason: 'authError', location: 'Authorization' }],
      },
    });
  });
});

describe('faults', () => {
  it.each<[SandboxFaultAnswer, number, string | undefined, RegExp]>([
    [{ kind: 'concurrency' }, 429, 'rateLimitExceeded', /^Too many concurrent requests for user$/],
    [{ kind: 'rateLimitExceeded' }, 403, 'rateLimitExceeded', /Quota exceeded/],
    [{ kind: 'userRateLimitExceeded' }, 403, 'userRateLimitExceeded', /./],
    [
      { kind: 'retryAfter', afterMs: 5000 },
      403,
      'rateLimitExceeded',
      /Retry after \d{4}-\d\d-\d\dT[\d:.]+Z$/,
    ],
    [{ kind: 'dailyLimitExceeded' }, 403, 'dailyLimitExceeded', /./],
    [{ kind: 'insufficientPermissions' }, 403, 'insufficientPermissions', /scopes/],
    [{ kind: 'backendError' }, 500, 'backendError', /./],
    [{ kind: 'unavailable' }, 503, 'backendError', /./],
    [{ kind: 'error', status: 418, reason: 'teapot', message: 'short' }, 418, 'teapot', /short/],
  ])('should answer %j', async (answer, status, reason, message) => {
    await start();
    sandbox.fault({ endpoint: 'getProfile', answer });
    const response = await profile();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code: status, message: expect.stringMatching(message), errors: [{ reason }] },
    });
    expect((await profile()).status).toBe(200);
  });

  it('should affect only the chosen message, after the skipped calls, as often as set', async () => {
    await start();
    const [one, two] = sandbox.mailbox().ids() as [string, string];
    sandbox.fault({
      endpoint: 'messages.*',
      messageId: one,
      skip: 1,
      times: 2,
      answer: { kind: 'unavailable' },
    });
    const statuses = [];
    for (const id of [one, two, one, one, one])
      statuses.push((await call(`/gmail/v1/users/me/messages/${id}`)).status);
    expect(statuses).toEqual([200, 200, 503, 503, 200]);
  });

  it('should break the connection, keep silent, or apply the call and fail', async () => {
    await start();
    const [id] = sandbox.mailbox().ids() as [string];
    sandbox.fault({ answer: { kind: 'cut' } });
    await expect(call(`/gmail/v1/users/me/messages/${id}`).then((answer) => answer.text())).rejects.toThrow();
    sandbox.fault({ answer: { kind: 'hang' } });
    await expect(call('/gmail/v1/users/me/labels', { signal: AbortSignal.timeout(100) })).rejects.toThrow(
      /timeout|abort/i,
    );
    sandbox.fault({ endpoint: 'messages.modify', afterApplying: true, answer: { kind: 'backendError' } });
    const answer = await call(`/gmail/v1/users/me/messages/${id}/modify`, {
      method: 'POST',
      body: '{"addLabelIds":["STARRED"]}',
    });
    expect(answer.status).toBe(500);
    expect(sandbox.mailbox().labels(id)).toContain('STARRED');
    sandbox.fault({ answer: { kind: 'slow', delayMs: 120 } });
    const started = performance.now();
    await profile();
    expect(performance.now() - started).toBeGreaterThan(110);
  });

  it.each<SandboxFaultAnswer>([{ kind: 'endless' }, { kind: 'trickle', delayMs: 1 }])(
    'should return a body for calls answered without one: %j',
    async (answer) => {
      await start();
      sandbox.fault({ answer });
      const body = JSON.stringify({ ids: sandbox.mailbox().ids(), addLabelIds: ['STARRED'] });
      const answered = await call('/gmail/v1/users/me/messages/batchModify', { method: 'POST', body });
      const reader = answered.body!.getReader();
      const first = await reader.read();
      expect([answered.status, first.value?.[0]]).toEqual([200, 0x20]);
      await reader.cancel();
    },
  );

  it('should expire access tokens and refuse a refresh', async () => {
    await start();
    sandbox.fault({ answer: { kind: 'expireAccessTokens' } });
    expect((await profile()).status).toBe(401);
    const refresh = (): Promise<Response> =>
      token({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken });
    sandbox.fault({ answer: { kind: 'invalidGrant' } });
    expect(await (await refresh()).json()).toMatchObject({ error: 'invalid_grant' });
    const { access_token } = (await (await refresh()).json()) as { access_token: string };
    expect((await call('/gmail/v1/users/me/profile', {}, access_token)).status).toBe(200);
  });
});

describe('batch', () => {
  const batch = (parts: readonly string[], headers: Record<string, string> = {}): Promise<Response> =>
    call('/batch/gmail/v1', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary="b_1"', ...headers },
      body:
        parts
          .map(
            (part, at) =>
              `--b_1\r\nContent-Type: application/http\r\nContent-ID: <item-${at}>\r\n\r\n${part}\r\n`,
          )
          .join('') + '--b_1--\r\n',
    });

  it('should answer every part with its own status and id, and count each', async () => {
    await start({ maxConcurrentRequests: 3 });
    const [one, two] = sandbox.mailbox().ids() as [string, string];
    sandbox.fault({ messageId: two, answer: { kind: 'concurrency' } });
    sandbox.stats.reset();
    const response = await batch([
      `GET /gmail/v1/users/me/messages/${one}?format=minimal HTTP/1.1`,
      `GET /gmail/v1/users/me/messages/${two}?format=minimal`,
      `POST /gmail/v1/users/me/messages/${one}/modify\r\nContent-Type: application/json\r\n\r\n{"addLabelIds":["STARRED"]}`,
      'GET /gmail/v1/users/me/messages/00000000000000aa',
    ]);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=batch_/);
    const text = await response.text();
    const inner = [...text.matchAll(/Content-ID: <(response-item-\d)>\r\n\r\nHTTP\/1\.1 (\d+)/g)].map(
      (match) => [match[1], match[2]],
    );
    expect(inner).toEqual([
      ['response-item-0', '200'],
      ['response-item-1', '429'],
      ['response-item-2', '200'],
      // The fourth is one too many in flight.
      ['response-item-3', '429'],
    ]);
    expect(text).toContain(`"id":"${one}"`);
    expect(sandbox.stats.calls).toEqual({ batch: 1, 'messages.get': 3, 'messages.modify': 1 });
    expect(sandbox.stats.maxInFlight).toBe(4);
    expect(sandbox.stats.httpRequests).toBe(1);
  });

  it('should fail as a whole with plain JSON', async () => {
    await start();
    const tooMany = await batch(Array.from({ length: 101 }, () => 'GET /gmail/v1/users/me/profile'));
    expect(tooMany.status).toBe(400);
    expect(tooMany.headers.get('content-type')).toMatch(/^application\/json/);
    sandbox.fault({ endpoint: 'batch', answer: { kind: 'unavailable' } });
    expect((await batch(['GET /gmail/v1/users/me/profile'])).status).toBe(503);
    expect((await batch(['GET /gmail/v1/users/me/profile'], { 'content-type': 'text/plain' })).status).toBe(
      400,
    );
  });
});

describe('limits', () => {
  it('should count units and answer both kinds of quota refusal', async () => {
    await start({ quota: { unitsPerSecond: 10 }, unitCosts: { getProfile: 5 } });
    const answers = [];
    for (let at = 0; at < 6; at++) answers.push(await profile());
    const refused = answers.filter((answer) => answer.status !== 200);
    expect(refused.map((answer) => answer.status).slice(0, 2)).toEqual([429, 403]);
    const [, second] = await Promise.all(
      refused.slice(0, 2).map((answer) => answer.json() as Promise<{ error: { message: string } }>),
    );
    const instant = Date.parse(
      (/Retry after (\S+)$/.exec(second?.error.message ?? '') as RegExpExecArray)[1] as string,
    );
    expect(instant).toBeGreaterThan(Date.now() - 1000);
    expect(sandbox.stats.units).toEqual({ getProfile: 10 });
    await new Promise((resolve) => setTimeout(resolve, instant - Date.now() + 700));
    expect((await profile()).status).toBe(200);
  });

  it('should add latency, and refuse calls above the concurrency limit', async () => {
    await start({ latencyMs: 60, maxConcurrentRequests: 2 });
    const started = performance.now();
    const statuses = (await Promise.all([profile(), profile(), profile()])).map((answer) => answer.status);
    expect(performance.now() - started).toBeGreaterThan(55);
    expect(statuses.sort()).toEqual([200, 200, 429]);
    expect((await profile()).status).toBe(200);
  });

  it('should be controlled over HTTP', async () => {
    await start();
    await call('/sandbox/options', {
      method: 'PATCH',
      body: JSON.stringify({ latencyMs: 5, quota: { unitsPerMinute: 1 }, maxConcurrentRequests: 4 }),
    });
    expect(await (await call('/sandbox/options')).json()).toEqual({
      latencyMs: 5,
      quota: { unitsPerMinute: 1 },
      maxConcurrentRequests: 4,
    });
    await call('/sandbox/options', { method: 'PATCH', body: '{"quota":null}' });
    expect(
      (await call('/sandbox/faults', { method: 'POST', body: '{"answer":{"kind":"nonsense"}}' })).status,
    ).toBe(400);
    await call('/sandbox/faults', {
      method: 'POST',
      body: '{"times":"always","answer":{"kind":"unavailable"}}',
    });
    expect([(await profile()).status, (await profile()).status]).toEqual([503, 503]);
    await call('/sandbox/faults', { method: 'DELETE' });
    expect((await profile()).status).toBe(200);
    expect(await (await call('/sandbox/stats')).json()).toMatchObject({
      calls: { getProfile: 3 },
      statuses: { 200: 1, 503: 2 },
      totalUnits: 1,
    });
    await call('/sandbox/stats/reset', { method: 'POST' });
    expect(await (await call('/sandbox/stats')).json()).toMatchObject({ totalCalls: 0 });
  });
});
