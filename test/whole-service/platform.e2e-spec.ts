import { connect } from 'node:net';
import { startTestApp, TestApp } from '../support/app';

describe('The platform', () => {
  let sut: TestApp;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 5 }, env: { METRICS_TOKEN: 'a-token-for-metrics' } });
  });

  afterAll(() => sut.close());

  const problem = (status: number, code: string): object => ({
    type: `urn:mailroom:problem:${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code,
    instance: expect.any(String),
    requestId: expect.any(String),
  });

  it('should answer an unknown address with a 404 problem', async () => {
    const answer = await sut.anonymous.get('/api/nothing/here?secret=1');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toEqual({ ...problem(404, 'not-found'), instance: '/api/nothing/here' });
  });

  it('should answer an address with a percent sign that encodes nothing with a 400 problem', async () => {
    const { api } = await sut.user();
    for (const answer of [await api.get('/api/jobs/%'), await sut.anonymous.delete('/api/webhooks/%zz')]) {
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        400,
        'application/problem+json; charset=utf-8',
      ]);
      expect(answer.body).toEqual(problem(400, 'bad-request'));
    }
  });

  it('should answer another method on a known address with 405 and Allow', async () => {
    const answer = await sut.anonymous.put('/api/auth/login', {});
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.body).toEqual(problem(405, 'method-not-allowed'));
  });

  it('should answer another method on an address that could be read as an id with 405, too', async () => {
    const { api } = await sut.user();
    const account = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
    for (const [answer, allow] of [
      [await api.post('/api/rules/templates', {}), 'GET, HEAD'],
      [await api.get('/api/quota/cleanup'), 'POST'],
      [await api.delete('/api/notifications/preferences'), 'GET, HEAD, PUT'],
      [await api.delete('/api/jobs/events'), 'GET, HEAD'],
      [await api.put(`/api/rules/${account}/preview`, {}), 'POST'],
    ] as const) {
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      expect(answer.body).toEqual(problem(405, 'method-not-allowed'));
    }
  });

  it('should answer a body of endlessly nested arrays with 400', async () => {
    const { api } = await sut.user();
    const answer = await api.post('/api/saved-searches', '['.repeat(20_000) + ']'.repeat(20_000));
    expect([answer.status, answer.body.code]).toEqual([400, 'body-too-deep']);
  });

  it('should answer malformed JSON with 400', async () => {
    const answer = await sut.anonymous.post('/api/auth/login', '{"email": ');
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed-json']);
  });

  it.each([
    ['text/plain', 'hello'],
    ['application/x-www-form-urlencoded', 'email=a'],
    ['application/json; charset=klingon', '{}'],
  ])('should answer a body of type %s with 415', async (type, body) => {
    const answer = await sut.anonymous.post('/api/auth/login', body, { headers: { 'content-type': type } });
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported-media-type']);
  });

  it('should answer a body over the limit with 413', async () => {
    const answer = await sut.anonymous.post('/api/auth/login', { email: 'x'.repeat(5 * 1024 * 1024) });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload-too-large']);
  });

  it.each([[[]], ['null'], ['"text"'], ['7']])('should answer the body %j with 400', async (body) => {
    const answer = await sut.anonymous.post('/api/auth/login', body);
    expect(answer.status).toBe(400);
  });

  it('should check the token before the body', async () => {
    const path = '/api/mailbox/01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d/messages/bulk';
    for (const [body, type] of [
      ['{', 'application/json'],
      ['text', 'text/plain'],
      [`"${'x'.repeat(5 * 1024 * 1024)}"`, 'application/json'],
    ] as const) {
      const answer = await sut.anonymous.post(path, body, { headers: { 'content-type': type } });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    }
  });

  it('should answer a request that is not HTTP with a problem document', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(sut.url).port), '127.0.0.1', () =>
        socket.write('FOO BAR\r\n\r\n'),
      );
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({
      ...problem(400, 'malformed-request'),
      instance: '/',
    });
  });

  it('should name every invalid field of a body', async () => {
    const answer = await sut.anonymous.post('/api/auth/register', { email: 'no address', password: 'short' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(problem(400, 'validation-failed'));
    expect(answer.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'email',
      'password',
    ]);
  });

  it('should keep a valid request id of a proxy, and otherwise create its own', async () => {
    const kept = await sut.anonymous.get('/api/auth/config', {
      headers: { 'x-request-id': 'proxy-id-12345' },
    });
    expect(kept.headers.get('x-request-id')).toBe('proxy-id-12345');
    const made = await sut.anonymous.get('/api/auth/config', { headers: { 'x-request-id': 'a b' } });
    expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('should never allow responses to be cached', async () => {
    const answer = await sut.anonymous.get('/api/auth/config');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('should be live and ready', async () => {
    expect((await sut.anonymous.get('/health/live')).body).toMatchObject({ status: 'ok' });
    expect((await sut.anonymous.get('/health/ready')).body).toEqual({
      status: 'ok',
      search: expect.stringMatching(/^(ok|unknown)$/),
    });
  });

  it('should serve metrics only with the token', async () => {
    expect((await sut.anonymous.get('/metrics')).status).toBe(401);
    const answer = await sut.anonymous.get('/metrics', {
      headers: { authorization: 'Bearer a-token-for-metrics' },
    });
    expect(answer.status).toBe(200);
    const text = answer.bytes.toString();
    for (const metric of [
      'mailroom_http_request_duration_seconds_bucket',
      'mailroom_job_queue_depth',
      'mailroom_job_queue_age_seconds',
      'mailroom_provider_calls_total',
      'mailroom_archive_bytes_total',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toContain(metric);
    }
  });

  it('should serve its documentation', async () => {
    expect((await sut.anonymous.get('/api/docs')).status).toBe(200);
    const document = await sut.anonymous.get('/api/openapi.json');
    expect(document.status).toBe(200);
    expect(document.body.paths['/api/jobs/{jobId}']).toBeDefined();
    const operations = Object.entries<any>(document.body.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => ({ ...operation, route: `${method} ${path}` })),
    );
    const withKey = operations.filter((operation) =>
      operation.parameters?.some(({ name }: any) => name === 'Idempotency-Key'),
    );
    expect(withKey.length).toBeGreaterThan(0);
    expect(withKey.filter(({ responses }) => !responses[400] || !responses[409])).toEqual([]);
    const webhook = document.body.paths['/api/webhooks/{webhookId}'].put.parameters[0];
    expect([webhook.name, webhook.schema.format]).toEqual(['webhookId', 'uuid']);
    expect(document.body.paths['/api/jobs/{jobId}'].get.parameters[0].schema.format).toBeUndefined();
  });

  it('should allow only the application’s origin', async () => {
    const own = await sut.anonymous.get('/api/auth/config', { headers: { origin: 'http://localhost:3000' } });
    expect(own.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    const other = await sut.anonymous.get('/api/auth/config', { headers: { origin: 'http://evil.test' } });
    expect(other.headers.get('access-control-allow-origin')).not.toBe('http://evil.test');
  });
});

describe('Rate limits', () => {
  let sut: TestApp;

  beforeAll(async () => {
    sut = await startTestApp({
      sandbox: { messages: 1 },
      env: { RATE_LIMIT_PER_MINUTE: '5', RATE_LIMIT_AUTH_PER_MINUTE: '3', TRUST_PROXY: '1' },
    });
  });

  afterAll(() => sut.close());

  const from = (address: string): { headers: Record<string, string> } => ({
    headers: { 'x-forwarded-for': address },
  });

  it('should count users separately, report the remaining requests, and refuse with Retry-After', async () => {
    const [ada, ben] = [await sut.user('ada'), await sut.user('ben')];
    const first = await ada.api.get('/api/jobs');
    expect(first.headers.get('ratelimit-limit')).toBe('5');
    expect(first.headers.get('ratelimit-remaining')).toBe('4');
    for (let i = 0; i < 4; i += 1) await ada.api.get('/api/jobs');
    const refused = await ada.api.get('/api/jobs');
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ben.api.get('/api/jobs')).status).toBe(200);
  });

  it('should count sign-in attempts per client address, as reported by the trusted proxy', async () => {
    const attempt = (address: string): Promise<{ status: number }> =>
      sut.anonymous.post(
        '/api/auth/login',
        { email: 'nobody@users.test', password: 'wrong password' },
        from(address),
      );
    for (let i = 0; i < 3; i += 1) expect((await attempt('192.0.2.1')).status).toBe(401);
    expect((await attempt('192.0.2.1')).status).toBe(429);
    expect((await attempt('192.0.2.2')).status).toBe(401);
  });

  it('should count requests with bad tokens against their address', async () => {
    const attempt = (): Promise<{ status: number }> =>
      sut.anonymous.get('/api/jobs', {
        headers: { authorization: 'Bearer nonsense', 'x-forwarded-for': '192.0.2.9' },
      });
    for (let i = 0; i < 5; i += 1) expect((await attempt()).status).toBe(401);
    expect((await attempt()).status).toBe(429);
  });
});
