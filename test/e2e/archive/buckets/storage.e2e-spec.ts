import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:https';
import { startTestApp, TestApp } from '../../../support/app';
import { TestObjectStore } from '../../../support/object-store/object-store';
import { freePort } from '../../../support/service-process';
import { TcpProxy } from '../../../support/tcp-proxy';
import type { TestUser } from '../../../support/test-user';
import { CERTIFICATE } from '../../../support/object-store/self-signed';
import { nightly } from '../../../support/nightly';

const CONFIG = '/api/storage/config';
const TEST = '/api/storage/test-objstore';

describe('Storage configuration', () => {
  let app: TestApp;
  let store: TestObjectStore;
  let buckets = 0;
  const servers: Server[] = [];

  const newBucket = (): string => `configured-${(buckets += 1)}`;
  const rowsOf = (user: TestUser): Promise<any[]> =>
    app.dataSource.query('SELECT * FROM storage_configurations WHERE user_id = $1 ORDER BY id', [user.id]);
  const trial = (changes: object = {}): object => ({
    endpoint: store.endpoint,
    region: store.region,
    bucket: 'tried-out',
    accessKeyId: store.accessKeyId,
    secretAccessKey: store.secretAccessKey,
    forcePathStyle: true,
    ...changes,
  });
  const serve = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };

  beforeAll(async () => {
    [app, store] = await Promise.all([startTestApp({ sandbox: { messages: 1 } }), TestObjectStore.start()]);
  });

  afterAll(async () => {
    for (const server of servers) server.close();
    await app?.close();
  });

  it.each([
    ['GET', CONFIG],
    ['PUT', CONFIG],
    ['POST', TEST],
  ])('should require a token for %s %s', async (method, path) => {
    const response = await app.anonymous.fetch(method, path, { body: method === 'GET' ? undefined : {} });
    expect(response.status).toBe(401);
  });

  it('should return only local for a user who never chose', async () => {
    const user = await app.user();
    const { status, body } = await user.api.get(CONFIG);
    expect([status, body]).toEqual([200, { type: 'local' }]);
  });

  it('should save a bucket with its defaults, create it and never return the keys', async () => {
    const user = await app.user();
    const { status, body } = await user.api.put(CONFIG, {
      type: 'objstore',
      objstoreEndpoint: `${store.endpoint}/`,
      objstoreAccessKeyId: store.accessKeyId,
      objstoreSecretAccessKey: store.secretAccessKey,
    });
    expect([status, body]).toEqual([200, { success: true }]);
    const read = await user.api.get(CONFIG);
    expect(read.body).toEqual({
      id: expect.any(String),
      type: 'objstore',
      objstore_endpoint: store.endpoint,
      objstore_region: 'us-east-1',
      objstore_bucket: 'mailroom-archives',
      objstore_force_path_style: true,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    expect(await store.client.bucketExists('mailroom-archives')).toBe(true);
    expect(await store.objects('mailroom-archives')).toEqual([]);
    const stored = JSON.stringify(await rowsOf(user));
    expect(stored).not.toContain(store.secretAccessKey);
    expect(stored).not.toContain(store.accessKeyId);
  });

  it.each([
    [{ type: undefined }, 'type'],
    [{ type: 's3' }, 'type'],
    [{ objstoreEndpoint: undefined }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: null }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: 'minio:9000' }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: 'ftp://store.example' }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: 'http://me:secret@store.example' }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: 'http://store.example/path' }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: 'http://store.example/?x=1' }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: 7 }, 'objstoreEndpoint'],
    [{ objstoreEndpoint: `http://${'x'.repeat(2_100)}` }, 'objstoreEndpoint'],
    [{ objstoreRegion: 'eu central' }, 'objstoreRegion'],
    [{ objstoreRegion: 'x'.repeat(65) }, 'objstoreRegion'],
    [{ objstoreBucket: 'No' }, 'objstoreBucket'],
    [{ objstoreBucket: '192.168.1.1' }, 'objstoreBucket'],
    [{ objstoreBucket: 'a..b' }, 'objstoreBucket'],
    [{ objstoreAccessKeyId: undefined }, 'objstoreAccessKeyId'],
    [{ objstoreAccessKeyId: '' }, 'objstoreAccessKeyId'],
    [{ objstoreAccessKeyId: 'two words' }, 'objstoreAccessKeyId'],
    [{ objstoreAccessKeyId: 'x'.repeat(257) }, 'objstoreAccessKeyId'],
    [{ objstoreSecretAccessKey: undefined }, 'objstoreSecretAccessKey'],
    [{ objstoreSecretAccessKey: 'a\nb' }, 'objstoreSecretAccessKey'],
    [{ objstoreSecretAccessKey: 'x'.repeat(1_025) }, 'objstoreSecretAccessKey'],
    [{ objstoreForcePathStyle: 'yes' }, 'objstoreForcePathStyle'],
  ])('should refuse to save an invalid configuration (%#)', async (changes, field) => {
    const user = await app.user();
    const { status, body } = await user.api.put(CONFIG, store.configuration('not-saved', changes));
    expect([status, body.code, body.errors?.[0].field]).toEqual([400, 'validation-failed', field]);
    expect(await rowsOf(user)).toEqual([]);
  });

  it('should ignore the rest of the body for the local disk', async () => {
    const user = await app.user();
    const saved = await user.api.put(CONFIG, {
      type: 'local',
      objstoreEndpoint: 'nonsense',
      objstoreBucket: 'X',
    });
    expect([saved.status, saved.body]).toEqual([200, { success: true }]);
    const { body } = await user.api.get(CONFIG);
    expect(body).toEqual({
      id: expect.any(String),
      type: 'local',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it.each([
    ['a wrong secret', () => ({ objstoreSecretAccessKey: 'wrong' }), 'objstoreSecretAccessKey'],
    ['a key that may not use the bucket', () => forGuest(), 'objstoreBucket'],
    ['a metadata address', () => ({ objstoreEndpoint: 'http://169.254.169.254' }), 'objstoreEndpoint'],
  ])('should not save %s', async (_name, changes, field) => {
    const bucket = newBucket();
    await store.client.makeBucket(bucket, store.region);
    const user = await app.user();
    const { status, body } = await user.api.put(CONFIG, store.configuration(bucket, changes()));
    expect([status, body.errors?.[0].field]).toEqual([400, field]);
    expect(await rowsOf(user)).toEqual([]);
  });

  const forGuest = (): object => ({
    objstoreAccessKeyId: store.guest.accessKeyId,
    objstoreSecretAccessKey: store.guest.secretAccessKey,
  });

  it('should save a store that is temporarily unavailable', async () => {
    const user = await app.user();
    const objstoreEndpoint = `http://127.0.0.1:${await freePort()}`;
    const { status } = await user.api.put(CONFIG, store.configuration('later-on', { objstoreEndpoint }));
    expect(status).toBe(200);
    expect((await user.api.get(CONFIG)).body.objstore_endpoint).toBe(objstoreEndpoint);
  });

  it('should keep one row per location, whatever its keys, and make it current again when it is chosen again', async () => {
    const user = await app.user();
    const [first, second] = [newBucket(), newBucket()];
    const put = async (configuration: object): Promise<string> => {
      expect((await user.api.put(CONFIG, configuration)).status).toBe(200);
      return (await user.api.get(CONFIG)).body.id as string;
    };
    const a = await put(store.configuration(first));
    const sealed = (await rowsOf(user))[0].sealed_credentials;
    expect(await put(store.configuration(first, { objstoreForcePathStyle: true }))).toBe(a);
    expect((await rowsOf(user))[0].sealed_credentials).not.toBe(sealed);
    const b = await put(store.configuration(second));
    const local = await put({ type: 'local' });
    expect(await put(store.configuration(first))).toBe(a);
    expect(await put({ type: 'local' })).toBe(local);
    const rows = await rowsOf(user);
    expect(rows.map(({ id, is_current: current }) => [id, current])).toEqual([
      [a, false],
      [b, false],
      [local, true],
    ]);
  });

  it('should result in one current configuration when several are chosen at once', async () => {
    const user = await app.user();
    const [first, second] = [newBucket(), newBucket()];
    const bodies = [store.configuration(first), store.configuration(second), { type: 'local' }];
    const answers = await Promise.all([...bodies, ...bodies].map((body) => user.api.put(CONFIG, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const rows = await rowsOf(user);
    expect([rows.length, rows.filter((row) => row.is_current).length]).toEqual([3, 1]);
  });

  it("should not show or change another user's configuration", async () => {
    const [one, other] = [await app.user(), await app.user()];
    const bucket = newBucket();
    await one.api.put(CONFIG, store.configuration(bucket));
    await other.api.put(CONFIG, store.configuration(bucket));
    await other.api.put(CONFIG, { type: 'local' });
    expect((await one.api.get(CONFIG)).body).toMatchObject({ type: 'objstore', objstore_bucket: bucket });
    expect((await rowsOf(one))[0].id).not.toBe((await rowsOf(other))[0].id);
  });

  describe('test-objstore', () => {
    let user: TestUser;

    beforeAll(async () => {
      user = await app.user();
    });

    it('should create the bucket, leave nothing in it and configure nothing', async () => {
      const { status, body } = await user.api.post(TEST, trial());
      expect([status, body]).toEqual([200, { success: true }]);
      expect(await store.client.bucketExists('tried-out')).toBe(true);
      expect(await store.objects('tried-out')).toEqual([]);
      expect(await rowsOf(user)).toEqual([]);
    });

    it.each([
      [{ endpoint: undefined }, 'endpoint'],
      [{ endpoint: 'nowhere' }, 'endpoint'],
      [{ bucket: 'X' }, 'bucket'],
      [{ region: '!' }, 'region'],
      [{ accessKeyId: undefined }, 'accessKeyId'],
      [{ secretAccessKey: undefined }, 'secretAccessKey'],
      [{ forcePathStyle: 1 }, 'forcePathStyle'],
    ])('should refuse an invalid body (%#)', async (changes, field) => {
      const { status, body } = await user.api.post(TEST, trial(changes));
      expect([status, body.errors?.[0].field]).toEqual([400, field]);
    });

    const page = async (status: number, headers: Record<string, string> = {}): Promise<string> => {
      const answer = '<html>upstream-body</html>';
      const server = createServer((_request, response) => response.writeHead(status, headers).end(answer));
      return `http://127.0.0.1:${await serve(server)}`;
    };

    it.each<[string, () => Promise<object>, RegExp]>([
      ['a wrong secret', async () => ({ secretAccessKey: 'wrong' }), /secret access key is wrong/],
      ['an unknown key', async () => ({ accessKeyId: 'test:nobody' }), /access key/],
      ['a foreign bucket', async () => store.guest, /may not do that in the bucket/],
      [
        'a closed port',
        async () => ({ endpoint: `http://127.0.0.1:${await freePort()}` }),
        /refuses connections/,
      ],
      [
        'an unknown host',
        async () => ({ endpoint: 'http://nowhere.invalid' }),
        /host name cannot be resolved/,
      ],
      ['a metadata address', async () => ({ endpoint: 'http://169.254.169.254' }), /does not connect to/],
      [
        'plain HTTP behind https',
        async () => ({ endpoint: store.endpoint.replace('http:', 'https:') }),
        /no TLS/,
      ],
      [
        'an untrusted certificate',
        async () => ({ endpoint: await selfSigned() }),
        /certificate is not trusted/,
      ],
      [
        'a web site',
        async () => ({ endpoint: await page(200) }),
        /gives back something else|like an object store/,
      ],
      ['a page not found', async () => ({ endpoint: await page(404) }), /not answer like an object store/],
      [
        'a moved page',
        async () => ({ endpoint: await page(301, { Location: store.endpoint }) }),
        /redirects/,
      ],
      ['a redirect', async () => ({ endpoint: await page(302, { Location: store.endpoint }) }), /redirects/],
      ['a broken server', async () => ({ endpoint: await page(500) }), /fault of its own \(500\)/],
      ['another region', async () => ({ region: 'mars-north-1' }), /region/],
    ])('should explain %s', async (_name, changes, message) => {
      const { status, body } = await user.api.post(TEST, trial(await changes()));
      expect([status, body.success]).toEqual([200, false]);
      expect(body.error).toMatch(message);
      expect(body.error).not.toMatch(/upstream-body|<|Error:| at \S+:\d/);
    });

    const selfSigned = async (): Promise<string> =>
      `https://127.0.0.1:${await serve(createTlsServer(CERTIFICATE, (_request, response) => response.end()))}`;

    nightly(
      'should give up on a store that does not respond',
      async () => {
        const proxy = await TcpProxy.to(store.endpoint);
        try {
          proxy.stall();
          const startedAt = Date.now();
          const { body } = await user.api.post(TEST, trial({ endpoint: proxy.url.replace(/\/$/, '') }));
          expect(body).toEqual({ success: false, error: expect.stringContaining('does not answer in time') });
          expect(Date.now() - startedAt).toBeLessThan(20_000);
        } finally {
          await proxy.close();
        }
      },
      40_000,
    );
  });
});

describe('Storage configuration without private networks', () => {
  it('should refuse endpoints on private addresses', async () => {
    const app = await startTestApp({ sandbox: { messages: 1 }, env: { EGRESS_PRIVATE_NETWORKS: 'deny' } });
    try {
      const user = await app.user();
      for (const host of ['127.0.0.1:9000', 'localhost:9000', '[::1]:9000', '10.1.2.3', '2130706433']) {
        const trial = { endpoint: `http://${host}`, accessKeyId: 'key', secretAccessKey: 'secret' };
        const { body } = await user.api.post(TEST, trial);
        expect(body).toEqual({ success: false, error: expect.stringContaining('does not connect to') });
        const saved = await user.api.put(CONFIG, {
          type: 'objstore',
          objstoreEndpoint: `http://${host}`,
          objstoreAccessKeyId: 'key',
          objstoreSecretAccessKey: 'secret',
        });
        expect([saved.status, saved.body.errors?.[0].field]).toEqual([400, 'objstoreEndpoint']);
      }
    } finally {
      await app.close();
    }
  });
});
