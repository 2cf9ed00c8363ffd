import { MailroomError } from '../src/index';
import { json, problem, ScriptedService } from './scripted-service';

const ACCOUNT = '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d';
const WAIT_A_MOMENT = { 'retry-after': '0' };

describe('calling an operation', () => {
  let service: ScriptedService;

  beforeEach(() => {
    service = new ScriptedService();
  });

  it('should put arguments where they belong', async () => {
    const mails = `GET /api/archive/${ACCOUNT}/mails`;
    service.on(mails, json({ mails: [], total: 0, page: 1, limit: 50 }));
    const page = await service
      .client()
      .archive.listMails({ accountId: ACCOUNT, q: 'a b&c', has_attachments: true });
    expect(page.total).toBe(0);
    const [request] = service.of(mails);
    expect(new URL(request!.url).search).toBe('?q=a%20b%26c&has_attachments=true');
    expect(request!.headers.get('authorization')).toBe('Bearer mrk_test');
  });

  it('should send bodies as JSON, and passphrases so that any character gets through', async () => {
    const zip = `POST /api/archive/${ACCOUNT}/export-zip`;
    service.on(zip, new Response('zip', { headers: { 'content-type': 'application/zip' } }));
    await service.client().archive.exportZip({
      accountId: ACCOUNT,
      archivePassphrase: 'Schlüssel',
      body: { mailIds: [ACCOUNT] },
    });
    const [request] = service.of(zip);
    expect(await request!.json()).toEqual({ mailIds: [ACCOUNT] });
    expect(request!.headers.get('x-archive-passphrase')).toBe("UTF-8''Schl%C3%BCssel");
  });

  it('should return files as bytes, with their name', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    service.on(
      `GET /api/archive/${ACCOUNT}/mails/${ACCOUNT}/eml`,
      () =>
        new Response(bytes, {
          headers: {
            'content-type': 'message/rfc822; x=y',
            'content-length': '256',
            'content-disposition': `attachment; filename="a_.eml"; filename*=UTF-8''%C3%A9t%C3%A9.eml`,
          },
        }),
    );
    const call = { accountId: ACCOUNT, mailId: ACCOUNT };
    const download = await service.client().archive.downloadEml(call);
    expect([download.filename, download.contentType, download.size]).toEqual([
      'été.eml',
      'message/rfc822',
      256,
    ]);
    expect(await download.bytes()).toEqual(bytes);
    const pieces: Uint8Array[] = [];
    for await (const piece of await service.client().archive.downloadEml(call)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  });

  it('should report a missing path parameter instead of sending the request', async () => {
    const call = service.client().jobs.get({ jobId: undefined as unknown as string });
    await expect(call).rejects.toThrow('GET /api/jobs/{jobId} needs jobId');
    expect(service.requests).toEqual([]);
  });

  it('should return nothing for an empty response', async () => {
    service.on('DELETE /api/jobs/x-1', new Response(null, { status: 204 }));
    await expect(service.client().jobs.cancel({ jobId: 'x-1' })).resolves.toBeUndefined();
  });

  it('should send no token where none is required', async () => {
    service.on('GET /api/auth/config', json({ allowRegistration: true, providers: [] }));
    await service.client().auth.config();
    expect(service.requests[0]!.headers.has('authorization')).toBe(false);
  });

  it('should turn problem documents into errors', async () => {
    const body = {
      type: 'urn:x',
      title: 'Bad Request',
      status: 400,
      detail: 'Wrong.',
      code: 'validation-failed',
    };
    const errors = [{ field: 'name', message: 'name is needed' }];
    service.on('POST /api/auth/api-keys', json({ ...body, requestId: 'r-9', errors }, 400));
    const failed = service.client().apiKeys.create({ body: { name: '', scope: 'read' } });
    await expect(failed).rejects.toBeInstanceOf(MailroomError);
    await expect(failed).rejects.toMatchObject({
      status: 400,
      code: 'validation-failed',
      detail: 'Wrong.',
      fields: errors,
      requestId: 'r-9',
      retryAfter: null,
      term: null,
      message: 'POST /api/auth/api-keys answered 400: Wrong.',
    });
  });

  it('should say where a refused term stands in the query', async () => {
    const body = { status: 400, code: 'search-term-unsupported', detail: 'No.', offset: 8, length: 10 };
    service.on('GET /api/search', json(body, 400));
    await expect(service.client().search.search({ q: 'invoice is:snoozed' })).rejects.toMatchObject({
      code: 'search-term-unsupported',
      term: { offset: 8, length: 10 },
    });
  });

  it('should also turn a response that is not a problem document into an error', async () => {
    service.on(
      'GET /api/auth/me',
      new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' }),
    );
    await expect(service.client().auth.me()).rejects.toMatchObject({
      status: 502,
      code: 'unexpected-answer',
      detail: 'Bad Gateway',
      fields: [],
    });
  });

  describe('retries', () => {
    it('should wait as requested after a 429 or 503, and give up after three attempts', async () => {
      service.on(
        'GET /api/auth/me',
        problem(429, 'rate-limited', WAIT_A_MOMENT),
        problem(503, 'unavailable', WAIT_A_MOMENT),
        json({ user: {} }),
      );
      await service.client().auth.me();
      expect(service.requests).toHaveLength(3);
      service.on('GET /api/auth/me', problem(429, 'rate-limited', WAIT_A_MOMENT));
      await expect(service.client().auth.me()).rejects.toMatchObject({ status: 429, retryAfter: 0 });
      expect(service.requests).toHaveLength(6);
    });

    it.each([
      ['too long to wait', problem(503, 'unavailable', { 'retry-after': '3600' })],
      ['no time to wait', problem(503, 'unavailable')],
      ['another failure', problem(500, 'internal-error', WAIT_A_MOMENT)],
    ])('should not be made: %s', async (_why, reply) => {
      service.on('GET /api/auth/me', reply);
      await expect(service.client().auth.me()).rejects.toBeInstanceOf(MailroomError);
      expect(service.requests).toHaveLength(1);
    });

    it('should never be made for calls that are not idempotent', async () => {
      const webhooks = 'POST /api/webhooks';
      service.on(webhooks, problem(503, 'unavailable', WAIT_A_MOMENT));
      const body = { name: 'n', url: 'https://a.test', events: ['job.failed' as const] };
      await expect(service.client().webhooks.create({ body })).rejects.toMatchObject({ status: 503 });
      service.on(webhooks, () => Promise.reject(new TypeError('fetch failed')));
      await expect(service.client().webhooks.create({ body })).rejects.toThrow('fetch failed');
      expect(service.requests).toHaveLength(2);
    });

    it('should return the same job when its start is retried', async () => {
      const start = `POST /api/archive/${ACCOUNT}/archive`;
      const lost = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
      service.on(start, lost, json({ jobId: 'archive_mails-1' }, 202));
      await service.client().archive.archiveMessages({ accountId: ACCOUNT, body: { query: 'is:unread' } });
      const keys = service.of(start).map(({ headers }) => headers.get('idempotency-key'));
      expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]]);
      const idempotencyKey = 'mine';
      await service
        .client()
        .archive.archiveMessages({ accountId: ACCOUNT, idempotencyKey, body: { query: 'x' } });
      expect(service.of(start).at(-1)!.headers.get('idempotency-key')).toBe('mine');
    });

    it('should be aborted during the wait', async () => {
      service.on('GET /api/auth/me', problem(503, 'unavailable', { 'retry-after': '20' }));
      const abortion = new AbortController();
      const call = service.client().auth.me({}, { signal: abortion.signal });
      setTimeout(() => abortion.abort(new Error('enough')), 5);
      await expect(call).rejects.toThrow('enough');
    });
  });
});
