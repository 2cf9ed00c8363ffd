import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { newApiKey } from '../../src/identity/api-keys/api-key-format';
import { SandboxServer, startSandbox } from '../../sandbox/src/sandbox-server';
import { ApiClient, type ApiAnswer } from '../support/api-client';
import { eml, emlWithAttachment } from '../support/archive/eml';
import { createTestDatabase } from '../support/database';
import { testEnvironment } from '../support/environment';
import { importMbox, inMbox } from '../support/imports';
import { type Leak, LeakSearch, type Secrets } from '../support/privacy/leak-search';
import { Answers, RecordedApi } from '../support/privacy/recorded-api';
import { freePort, ServiceProcess } from '../support/service-process';
import { TestUser } from '../support/test-user';
import { waitFor } from '../support/wait';

jest.setTimeout(240_000);

/** Enough for a kill to come in the middle of their encryption. */
const MAILS = 600;
const METRICS_TOKEN = randomBytes(16).toString('hex');
const unlike = (): string => randomBytes(9).toString('base64url');

/** With what JSON, URLs, HTML and headers write otherwise; in no other value of the run. */
const SECRETS = {
  password: `Log-in "${unlike()}" & more`,
  'wrong password': `no log-in ${unlike()}/`,
  passphrase: `Clé à <molette> "${unlike()}" \\ 100 %`,
  'wrong passphrase': `fälsch & ${unlike()}+`,
  'second passphrase': `zweiter ${unlike()}`,
  'short passphrase': randomBytes(4).toString('hex').slice(0, 7),
  'IMAP password': `imap ${unlike()} {3}`,
  'secret key of the object store': `objstore/${unlike()}+/${unlike()}`,
  'client secret for the OpenID provider': `oidc ${unlike()}+/&`,
  'token in the address of a webhook': `hook-${unlike()}`,
  'code of an authenticator app': `wrong ${unlike()}`,
} satisfies Secrets;

/** As they stand in the mails. */
const FOUND = {
  card: '4539 1488 0343 6467',
  IBAN: 'FR14 2004 1010 0505 0001 3M02 606',
  'social security number': '2 55 08 14 168 025 38',
  phone: '06 39 98 47 25',
  'password in a mail': `Zq7${randomBytes(6).toString('hex')}`,
} satisfies Secrets;

const TEXT = [
  `My card is ${FOUND.card}, my account ${FOUND.IBAN},`,
  `numéro de sécurité sociale : ${FOUND['social security number']},`,
  `téléphone : ${FOUND.phone}`,
  `Password: ${FOUND['password in a mail']}`,
].join('\r\n');

/** In the body of a mail in a live mailbox, whose archived copy is encrypted. */
const LIVE = {
  'word of a live body': `live${unlike()}`,
  'address in a live body': `pixel${unlike()}`,
} satisfies Secrets;

/** What the archive may hold of a mail that is not encrypted. */
const CONTENT_COLUMNS = [
  'public.archived_mails.snippet',
  'public.archived_mail_words.words',
  'public.archived_mail_passages.words',
  'public.archived_attachment_pages.text',
  'public.archived_attachment_pages.words',
];

/**
 * What a run of the built service leaves behind when every way of handing it a secret has been gone, well and badly:
 * its output at the most talkative level, its database, Redis, files, metrics and answers.
 */
describe('Secrets', () => {
  let sandbox: SandboxServer;
  let database: { url: string; drop: () => Promise<void> };
  let directory: string;
  let dataDir: string;
  let logFile: string;
  let log: number;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let sql: Client;
  let redis: Redis;
  const answers = new Answers();
  const secrets = new LeakSearch(SECRETS);
  const found = new LeakSearch(FOUND);
  /** The service makes them, so that they are known only later. */
  const generated: Record<string, string> = {};
  /** Knows nobody: whoever comes with a code is refused. */
  let openId: Server;
  /** How the service named itself to it. */
  const credentials: string[] = [];
  let owner: { id: string; token: string };

  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await startSandbox({ messages: 1 });
    directory = mkdtempSync(join(tmpdir(), 'mailroom-secrets-'));
    dataDir = join(directory, 'data');
    logFile = join(directory, 'output');
    log = openSync(logFile, 'a');
    const openIdPort = await freePort();
    const issuer = `http://127.0.0.1:${openIdPort}`;
    openId = createServer((request, response) => {
      const asked = request.url === '/token';
      if (asked) credentials.push(request.headers.authorization ?? '');
      response.writeHead(asked ? 401 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          asked
            ? { error: 'invalid_client' }
            : {
                issuer,
                authorization_endpoint: `${issuer}/authorize`,
                token_endpoint: `${issuer}/token`,
                jwks_uri: `${issuer}/keys`,
                token_endpoint_auth_methods_supported: ['client_secret_basic'],
              },
        ),
      );
    });
    await new Promise<void>((resolve) => openId.listen(openIdPort, '127.0.0.1', resolve));
    environment = {
      ...testEnvironment(database.url, sandbox, dataDir),
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'mailroom',
      OIDC_CLIENT_SECRET: SECRETS['client secret for the OpenID provider'],
      LOG_LEVEL: 'trace',
      METRICS_TOKEN,
    };
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    redis = new Redis(environment['REDIS_URL']!);
    service = await ServiceProcess.start(environment, log);
  });

  afterAll(async () => {
    await service?.stop();
    await sql?.end();
    redis?.disconnect();
    openId?.closeAllConnections();
    openId?.close();
    await sandbox?.close();
    await database?.drop();
    if (log) closeSync(log);
    rmSync(directory, { recursive: true, force: true });
  });

  /** Answers are recorded; those of `content` are what was asked for and are not. */
  const api = (): ApiClient => new RecordedApi(service.url, owner.token, answers);
  const content = (): ApiClient => new ApiClient(service.url, owner.token);
  const user = (): TestUser => new TestUser(owner.id, '', '', api());

  async function restart(): Promise<void> {
    await service.kill();
    service = await ServiceProcess.start(environment, log);
  }

  const post = async (path: string, body: object, status: number): Promise<ApiAnswer> => {
    const answer = await api().post(path, body);
    expect([path, answer.status, status === answer.status ? '' : answer.body]).toEqual([path, status, '']);
    return answer;
  };

  const header = (passphrase: string): Record<string, string> => ({
    'X-Archive-Passphrase': `UTF-8''${encodeURIComponent(passphrase)}`,
  });

  const mailsOf = async (accountId: string): Promise<any[]> =>
    (await sql.query('SELECT * FROM archived_mails WHERE account_id = $1 ORDER BY subject', [accountId]))
      .rows;

  /** A mailbox whose archive holds the mails with personal data and `more` others. */
  async function filled(name: string, more: number): Promise<string> {
    const accountId = await user().connect(`${name}-0@sandbox.mailroom.test`);
    const own = (kind: string): string => `Message-ID: <${name}-${kind}@example.com>`;
    const mails = [
      eml('From: a@example.com', 'Subject: A plain one', own('plain'), '', TEXT, ''),
      eml(
        'From: a@example.com',
        'Subject: B HTML',
        own('html'),
        'MIME-Version: 1.0',
        'Content-Type: text/html; charset=utf-8',
        '',
        `<html><body><p>${TEXT.replace(/\r\n/g, '<br>\r\n')}</p></body></html>`,
        '',
      ),
      emlWithAttachment({
        subject: 'C with a text attached',
        disposition: 'attachment; filename="notes.txt"',
        mimeType: 'text/plain',
        content: Buffer.from(TEXT),
      }),
      ...Array.from({ length: more }, (_, number) =>
        eml(
          'From: b@example.com',
          `Subject: D ${number}`,
          own(String(number)),
          '',
          `${'x '.repeat(4_000)}`,
          TEXT,
          '',
        ),
      ),
    ];
    const file = mails.map((mail) => inMbox(mail.toString('utf8').replace(/\r\n/g, '\n'))).join('');
    const job = await importMbox(user(), accountId, file);
    expect(job).toMatchObject({ status: 'completed', failed: 0, processed: mails.length });
    return accountId;
  }

  const encrypt = (accountId: string, passphrase: string, status: number): Promise<ApiAnswer> =>
    post(`/api/privacy/${accountId}/encryption/encrypt`, { passphrase }, status);

  const isMidway = (jobId: string): Promise<unknown> =>
    waitFor('the job to be midway', async () => {
      const { body } = await api().get(`/api/jobs/${jobId}`);
      if (body.completed_at) throw new Error(`too late: ${JSON.stringify(body)}`);
      return body.processed > 0;
    });

  /** Whatever holds one of `search`'s values and is neither the archive nor an answer with what was asked for. */
  async function traces(search: LeakSearch): Promise<Leak[]> {
    const kept = await search.inRedis(redis, environment['REDIS_PREFIX']!);
    expect(kept.keys).toBeGreaterThan(0);
    const metrics = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    expect(metrics.status).toBe(200);
    expect(answers.count).toBeGreaterThan(0);
    return [
      ...search.in('output', readFileSync(logFile)),
      ...search.in('metrics', await metrics.text()),
      ...(await search.inDatabase(sql)),
      ...kept.leaks,
      ...search.inFiles(dataDir, (path) => path.startsWith(environment['ARCHIVE_DIR']!)),
      ...[...answers].flatMap(({ place, content }) => search.in(place, content)),
    ];
  }

  describe('after every operation with a secret', () => {
    let killed: string;
    let cancelled: string;
    let failing: string;
    let plain: string;

    it('should be accepted: sign-in', async () => {
      const anonymous = new RecordedApi(service.url, null, answers);
      const email = 'secrets@users.test';
      const { password, 'wrong password': wrong } = SECRETS;
      const registered = await new ApiClient(service.url, null).post('/api/auth/register', {
        email,
        password,
      });
      expect(registered.status).toBe(201);
      owner = { id: registered.body.user.id, token: registered.body.access_token };
      expect((await anonymous.post('/api/auth/register', { email, password })).status).toBe(409);
      expect((await anonymous.post('/api/auth/register', { email: 'nobody', password })).status).toBe(400);
      expect((await anonymous.post('/api/auth/login', { email, password })).status).toBe(200);
      expect((await anonymous.post('/api/auth/login', { email, password: wrong })).status).toBe(401);
      expect((await anonymous.post('/api/auth/login', `{"email": "${wrong}"`)).status).toBe(400);
      await sql.query('UPDATE users SET max_mailbox_accounts = 50');
    });

    it('should be accepted: API keys', async () => {
      // The one answer that has it.
      const { status, body } = await content().post('/api/auth/api-keys', { name: 'script' });
      expect(status).toBe(201);
      const key = body.key as string;
      const unknown = newApiKey();
      const hidden = (text: string): string => text.slice(body.prefix.length, -8);
      Object.assign(generated, { 'API key': hidden(key), 'unknown API key': hidden(unknown) });
      const as = (token: string | null): ApiClient => new RecordedApi(service.url, token, answers);
      expect((await as(key).get('/api/jobs')).status).toBe(200);
      expect((await as(key).post('/api/notifications/read-all')).status).toBe(403);
      expect((await as(key).get('/api/auth/me')).status).toBe(403);
      for (const wrong of [unknown, `${key}0`, key.slice(0, -1)])
        expect((await as(wrong).get('/api/jobs')).status).toBe(401);
      const cookie = `mailroom_access=${key}; mailroom_refresh=${key}`;
      expect((await as(null).get('/api/jobs', { headers: { cookie } })).status).toBe(401);
      expect((await as(null).post('/api/auth/refresh', { refresh_token: key })).status).toBe(401);
      expect((await api().get('/api/auth/api-keys')).body).toHaveLength(1);
    });

    it('should be accepted: one-time codes', async () => {
      const anonymous = new RecordedApi(service.url, null, answers);
      const [email, password] = ['codes@users.test', SECRETS.password];
      const registered = await new ApiClient(service.url, null).post('/api/auth/register', {
        email,
        password,
      });
      const token = registered.body.access_token as string;
      const own = new RecordedApi(service.url, token, answers);
      const shown = new ApiClient(service.url, token);
      const { secret } = (await shown.post('/api/auth/2fa/setup', { password })).body as { secret: string };
      const code = (): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      const wrong = SECRETS['code of an authenticator app'];
      expect((await own.post('/api/auth/2fa/enable', { totp_code: wrong })).status).toBe(403);
      const enabled = await shown.post('/api/auth/2fa/enable', { totp_code: code() });
      expect(enabled.status).toBe(200);
      const [used, unused] = enabled.body.recovery_codes as string[];
      Object.assign(generated, {
        'secret of one-time codes': secret,
        'used recovery code': used!,
        'recovery code': unused!,
      });
      const login = async (totp_code?: string): Promise<number> =>
        (await anonymous.post('/api/auth/login', { email, password, totp_code })).status;
      expect(await login()).toBe(401);
      expect(await login(wrong)).toBe(401);
      expect(await login(used)).toBe(200);
      expect(await login(used)).toBe(401);
      expect((await own.get('/api/auth/2fa')).body).toMatchObject({ enabled: true });
      const proof = { password, totp_code: wrong };
      expect((await own.post('/api/auth/2fa/disable', proof)).status).toBe(403);
    });

    it('should be accepted: the client secret of the OpenID provider', async () => {
      const open = async (path: string, cookie = ''): Promise<Response> => {
        const answer = await fetch(`${service.url}${path}`, { redirect: 'manual', headers: { cookie } });
        answers.add(`GET ${path}`, Buffer.from(JSON.stringify([...answer.headers]) + (await answer.text())));
        return answer;
      };
      const begun = await open('/api/auth/oidc/login');
      expect(begun.status).toBe(302);
      const state = new URL(begun.headers.get('location')!).searchParams.get('state')!;
      const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0]!);
      const back = await open(`/api/auth/oidc/callback?code=x&state=${state}`, cookie.join('; '));
      expect([back.status, back.headers.get('location')]).toEqual([302, expect.stringContaining('error=')]);
      expect(credentials).toEqual([expect.stringMatching(/^Basic /)]);
    });

    it('should be accepted: addresses and secrets of webhooks', async () => {
      const hidden = `${SECRETS['token in the address of a webhook']}`;
      const url = `http://127.0.0.1:${await freePort()}/${hidden}?t=${hidden}`;
      const events = ['job.completed', 'job.failed'];
      // Answers with a record have both, for its owner.
      const { body } = await content().post('/api/webhooks', { name: 'told', url, events });
      generated['secret of a webhook'] = (body.secret as string).slice('whsec_'.length);
      const changed = { url: `${url}&v=2`, type: 'generic' };
      expect((await content().put(`/api/webhooks/${body.id}`, changed)).status).toBe(200);
      for (const wrong of [`ftp://127.0.0.1/${hidden}`, `http://u:${hidden}@127.0.0.1/`, hidden]) {
        expect((await api().post('/api/webhooks', { name: 'no', url: wrong, events })).status).toBe(400);
      }
      const metadata = `http://169.254.169.254/${hidden}`;
      expect((await api().put(`/api/webhooks/${body.id}`, { url: metadata })).status).toBe(400);
      expect((await post(`/api/webhooks/${body.id}/test`, {}, 200)).body).toEqual({ success: false });
      const { body: told } = await api().get(`/api/webhooks/${body.id}/deliveries`);
      expect(told.deliveries).toMatchObject([{ attempts: [{ error: 'connection-refused' }] }]);
    });

    it('should be accepted: personal data, found in mails', async () => {
      [killed, cancelled, failing, plain] = [
        await filled('killed', MAILS),
        await filled('cancelled', MAILS),
        await filled('failing', 2),
        await filled('plain', 0),
      ];
      for (const accountId of [failing, plain]) {
        const { body } = await post(`/api/privacy/${accountId}/pii/scan`, {}, 202);
        expect(await user().jobEnd(body.jobId)).toMatchObject({ status: 'completed', failed: 0 });
        const { body: stats } = await api().get(`/api/privacy/${accountId}/pii/stats`);
        expect(stats.byType).toHaveLength(Object.keys(FOUND).length);
        expect((await api().get(`/api/privacy/${accountId}/pii`)).status).toBe(200);
      }
    });

    it('should be accepted: passphrases', async () => {
      const {
        passphrase,
        'wrong passphrase': wrong,
        'second passphrase': second,
        'short passphrase': short,
      } = SECRETS;
      await encrypt(killed, passphrase, 409);
      await post('/api/privacy/encryption/setup', { passphrase: short }, 400);
      await post('/api/privacy/encryption/setup', { passphrase: [passphrase] }, 400);
      await post('/api/privacy/encryption/setup', { passphrase }, 200);
      await post('/api/privacy/encryption/setup', { passphrase: second }, 409);
      expect((await post('/api/privacy/encryption/verify', { passphrase }, 200)).body).toEqual({
        valid: true,
      });
      expect((await post('/api/privacy/encryption/verify', { passphrase: wrong }, 200)).body.valid).toBe(
        false,
      );
      await encrypt(killed, wrong, 403);
      await encrypt('nonsense', passphrase, 400);
    });

    it('should be accepted: an encryption that is killed and resumed', async () => {
      const { body } = await encrypt(killed, SECRETS.passphrase, 202);
      await isMidway(body.jobId);
      // With the job under way its passphrase is somewhere, sealed.
      expect(await traces(secrets)).toEqual([]);
      await restart();
      expect(await user().jobEnd(body.jobId, 90_000)).toMatchObject({ status: 'completed', failed: 0 });
    });

    it('should be accepted: an encryption that is cancelled', async () => {
      const { body } = await encrypt(cancelled, SECRETS.passphrase, 202);
      await isMidway(body.jobId);
      expect((await api().delete(`/api/jobs/${body.jobId}`)).status).toBe(204);
      expect(await user().jobEnd(body.jobId)).toMatchObject({ status: 'cancelled' });
    });

    it('should be accepted: an encryption that fails', async () => {
      const [mail] = await mailsOf(failing);
      rmSync(join(environment['ARCHIVE_DIR']!, mail.storage_key as string));
      const { body } = await encrypt(failing, SECRETS.passphrase, 202);
      expect(await user().jobEnd(body.jobId)).toMatchObject({ failed: 1 });
    });

    it('should be accepted: encrypted mails that are read', async () => {
      const { passphrase, 'wrong passphrase': wrong } = SECRETS;
      const [mail] = await mailsOf(killed);
      const decrypt = `/api/privacy/${killed}/encryption/decrypt-mail`;
      const opened = await content().post(decrypt, { mailId: mail.id, passphrase });
      expect([opened.status, opened.body.content.includes(FOUND.IBAN)]).toEqual([200, true]);
      await post(decrypt, { mailId: mail.id, passphrase: wrong }, 403);
      await post(decrypt, { mailId: 'nonsense', passphrase }, 400);
      await post(decrypt, { passphrase }, 400);
      await post(decrypt, { mailId: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d', passphrase }, 404);
      const [open] = await mailsOf(plain);
      await post(`/api/privacy/${plain}/encryption/decrypt-mail`, { mailId: open.id, passphrase }, 400);

      for (const path of [`mails/${mail.id}/eml`, `mails/${mail.id}/safe-html`]) {
        const url = `/api/archive/${killed}/${path}`;
        expect((await content().get(url, { headers: header(passphrase) })).status).toBe(200);
        expect((await api().get(url)).status).toBeGreaterThanOrEqual(400);
        expect((await api().get(url, { headers: header(wrong) })).status).toBe(403);
        const twice = `UTF-8''${encodeURIComponent(passphrase)}%ff`;
        expect((await api().get(url, { headers: { 'X-Archive-Passphrase': twice } })).status).toBe(400);
      }
    });

    it('should be accepted: live mail that is indexed, scanned, archived and encrypted', async () => {
      const email = 'live-0@sandbox.mailroom.test';
      const accountId = await user().connect(email);
      const messageId = sandbox
        .mailbox(email)
        .insert(
          eml(
            'From: a@example.com',
            'Subject: live',
            'MIME-Version: 1.0',
            'Content-Type: text/html; charset=utf-8',
            '',
            `<p>${LIVE['word of a live body']}</p><img width="1" height="1"`,
            `src="https://shop.us1.list-manage.com/${LIVE['address in a live body']}">`,
            '',
          ),
          { labelIds: ['INBOX'] },
        );
      const ended = async (path: string, body: object): Promise<void> => {
        const { body: started } = await post(path, body, 202);
        expect(await user().jobEnd(started.jobId)).toMatchObject({ status: 'completed', failed: 0 });
      };
      const read = async (): Promise<void> => {
        await ended(`/api/unsubscribe/${accountId}/scan`, {});
        await ended(`/api/privacy/${accountId}/tracking/scan`, {});
        // What was asked for.
        expect(
          (await content().get(`/api/mailbox/${accountId}/messages/${messageId}`)).body.snippet,
        ).toContain(LIVE['word of a live body']);
        expect((await api().get(`/api/dashboard/${accountId}/stats`)).status).toBe(200);
      };
      await read();
      await ended(`/api/archive/${accountId}/archive`, { messageIds: [messageId] });
      const live = new LeakSearch(LIVE);
      expect(await live.inDatabase(sql)).not.toEqual([]);
      await ended(`/api/privacy/${accountId}/encryption/encrypt`, { passphrase: SECRETS.passphrase });
      await sql.query('DELETE FROM mailbox_messages WHERE account_id = $1', [accountId]);
      await sql.query('DELETE FROM mailbox_index_states WHERE account_id = $1', [accountId]);
      await sql.query('UPDATE tracking_scans SET rules_version = 0');
      await read();
      expect(await traces(live)).toEqual([]);
      expect(live.inFiles(environment['ARCHIVE_DIR']!)).toEqual([]);
    });

    it('should be accepted: exports of encrypted mails', async () => {
      const { passphrase, 'wrong passphrase': wrong } = SECRETS;
      const mailIds = (await mailsOf(killed)).slice(0, 3).map(({ id }) => id as string);
      for (const path of [`/api/import/${killed}/export-mbox`, `/api/archive/${killed}/export-zip`]) {
        expect((await content().post(path, { mailIds }, { headers: header(passphrase) })).status).toBe(200);
        expect((await api().post(path, { mailIds }, { headers: header(wrong) })).status).toBe(403);
        await api().post(path, { mailIds });
      }
    });

    it('should be accepted: credentials of other services', async () => {
      const port = await freePort();
      const pass = SECRETS['IMAP password'];
      const { body } = await post(
        `/api/import/${plain}/imap`,
        { host: '127.0.0.1', port, secure: false, user: 'someone', pass },
        202,
      );
      expect(await user().jobEnd(body.jobId)).toMatchObject({ status: 'failed' });
      await post(`/api/import/${plain}/imap`, { host: '', port, user: 'someone', pass }, 400);
      const store = {
        endpoint: `http://127.0.0.1:${port}`,
        bucket: 'nowhere',
        accessKeyId: 'known',
        secretAccessKey: SECRETS['secret key of the object store'],
      };
      await post('/api/storage/test-objstore', store, 200);
      await post('/api/storage/test-objstore', { ...store, endpoint: 'nonsense' }, 400);
    });

    it('should be accepted: lists and records of all of that', async () => {
      for (const path of [
        '/api/jobs',
        '/api/auth/me',
        '/api/notifications',
        '/api/storage/config',
        `/api/privacy/${killed}/encryption/status`,
        `/api/archive/${killed}/mails?limit=100`,
        `/api/privacy/${failing}/pii`,
      ]) {
        expect([path, (await api().get(path)).status]).toEqual([path, 200]);
      }
    });

    it('should be found nowhere', async () => {
      expect(await traces(secrets)).toEqual([]);
      expect(await traces(new LeakSearch(generated))).toEqual([]);
      // The jobs' ends were told to the webhook as well.
      const { rows } = await sql.query<{ deliveries: number }>(
        `SELECT count(*)::int AS deliveries FROM webhook_deliveries WHERE data->>'type' <> 'webhook_test'`,
      );
      expect(rows[0]!.deliveries).toBeGreaterThan(0);
      expect(secrets.inFiles(environment['ARCHIVE_DIR']!)).toEqual([]);
    });

    it('should be found, if personal data, only where the archive keeps unencrypted mails', async () => {
      const leaks = await traces(found);
      expect(leaks.filter(({ place }) => !CONTENT_COLUMNS.includes(place))).toEqual([]);
      const { rows } = await sql.query<{ text: string }>(
        'SELECT m::text AS text FROM archived_mails m WHERE is_encrypted',
      );
      expect(rows.length).toBeGreaterThan(MAILS);
      expect(rows.flatMap(({ text }) => found.in('an encrypted mail', text))).toEqual([]);
      expect(found.inFiles(join(environment['ARCHIVE_DIR']!, owner.id, killed))).toEqual([]);
    });
  });

  describe('that are planted', () => {
    const canary = `Canary "${unlike()}" é\\`;
    const search = new LeakSearch({ canary });

    it.each([
      ['plain', canary],
      ['in base64', `x${Buffer.from(`ab${canary}c`).toString('base64')}`],
      ['in base64url', Buffer.from(`a${canary}c`).toString('base64url')],
      ['in hex', Buffer.from(canary).toString('hex').toUpperCase()],
      ['in a URL', `?q=${encodeURIComponent(canary)}`],
      ['in a form', `q=${new URLSearchParams({ canary }).toString()}`],
      ['in JSON', JSON.stringify({ canary })],
      ['in JSON within JSON', JSON.stringify({ payload: JSON.stringify({ canary }) })],
      ['in the octets of a header', Buffer.from(canary).toString('latin1')],
    ])('should be found %s', (_form, text) => {
      expect(search.in('here', `before ${text} after`)).toMatchObject([{ secret: 'canary', place: 'here' }]);
      expect(search.in('here', Buffer.from(`before ${text} after`))).toHaveLength(1);
    });

    it('should be found in every searched place', async () => {
      const key = `${environment['REDIS_PREFIX']}:canary`;
      appendFileSync(logFile, `${JSON.stringify({ msg: canary })}\n`);
      writeFileSync(join(dataDir, 'canary'), canary);
      await sql.query('CREATE TABLE canaries (bytes bytea)');
      await sql.query('INSERT INTO canaries VALUES ($1)', [Buffer.from(canary)]);
      await redis.hset(key, 'field', canary);
      // A search for what is not there comes back with it.
      await api().get(`/api/nowhere?canary=${encodeURIComponent(canary)}`);
      answers.add('GET /canary', Buffer.from(canary));
      const places = (await traces(search)).map(({ place }) => place);
      expect(places).toEqual(
        expect.arrayContaining([
          'output',
          'public.canaries.bytes',
          `Redis ${key}`,
          join(dataDir, 'canary'),
          'GET /canary',
        ]),
      );
    });
  });
});
