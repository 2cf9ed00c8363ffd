import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { AutoconfigClient } from '../../../../src/mailbox/connect/imap/autoconfig-client';
import { MailRecords } from '../../../../src/mailbox/connect/imap/mail-records';
import { startTestApp, TestApp } from '../../../support/app';
import { TestImapServer } from '../../../support/imap/imap-server';
import { ScriptedImapServer } from '../../../support/imap/scripted-imap-server';
import { fingerprintOf, testCertificate } from '../../../support/imap/test-certificate';
import { trust } from '../../../support/imap/trust';
import type { TestUser } from '../../../support/test-user';

const mail = (subject: string): Buffer =>
  Buffer.from(`From: a@example.org\r\nTo: b@example.org\r\nSubject: ${subject}\r\n\r\nHello\r\n`);
const MAIL = mail('Hello');

describe('Connecting a mailbox by IMAP', () => {
  const certificate = testCertificate();
  let sut: TestApp;
  let dovecot: TestImapServer;
  let user: TestUser;
  let pinned: string;

  beforeAll(async () => {
    [sut, dovecot] = await Promise.all([startTestApp({ sandbox: { messages: 1 } }), TestImapServer.start()]);
    pinned = fingerprintOf(readFileSync(dovecot.certificatePath, 'utf8'));
    await dovecot.append('INBOX', [MAIL]);
    await dovecot.append('Old mail', [mail('Old')]);
    await dovecot.append('Trash', [mail('Trash')]);
  });
  beforeEach(async () => {
    user = await sut.user();
  });
  afterAll(() => Promise.all([sut.close(), dovecot.stop()]));

  const mailbox = (changes: object = {}): Record<string, unknown> => ({
    email: 'Alice@imap.test',
    password: dovecot.pass,
    host: 'localhost',
    port: dovecot.tlsPort,
    certificateSha256: pinned,
    username: dovecot.user,
    ...changes,
  });
  const post = (path: string, body: unknown): Promise<any> =>
    user.api.post(`/api/auth/mailbox/imap${path}`, body);
  const rolesOf = ({ folders }: { folders: { path: string; role: string }[] }): string[] =>
    folders.map(({ path, role }) => `${path}: ${role}`).toSorted();
  const connect = async (changes: object = {}): Promise<any> => {
    const { status, body } = await post('', mailbox(changes));
    expect({ status, body }).toMatchObject({ status: 201 });
    return body;
  };
  const credentialsOf = async (id: string): Promise<string> => {
    const [row] = await sut.dataSource.query(
      'SELECT sealed_credentials FROM mailbox_accounts WHERE id = $1',
      [id],
    );
    return row.sealed_credentials as string;
  };

  it('should examine a mailbox without storing anything', async () => {
    const { status, body } = await post('/test', mailbox());
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        exactSizes: true,
        server: { host: 'localhost', port: dovecot.tlsPort, security: 'tls', certificateSha256: pinned },
      },
    });
    expect(body.capabilities).toEqual(expect.arrayContaining(['IMAP4REV1', 'UIDPLUS']));
    expect(body.folders).toEqual(
      expect.arrayContaining([
        { path: 'INBOX', role: 'inbox', source: 'server', problem: null },
        { path: 'Sent', role: 'sent', source: 'server', problem: null },
        { path: 'Trash', role: 'trash', source: 'name', problem: null },
        expect.objectContaining({ path: 'Old mail', role: 'user' }),
      ]),
    );
    expect((await user.api.get('/api/auth/me')).body.mailboxAccounts).toEqual([]);
  });

  it.each(['tls', 'starttls'])(
    'should connect a mailbox by %s, and keep its password sealed',
    async (security) => {
      const port = security === 'tls' ? dovecot.tlsPort : dovecot.port;
      const account = await connect({ security, port, roles: { 'Old mail': 'archive' } });
      expect(account).toMatchObject({
        email: 'alice@imap.test',
        provider: 'imap',
        status: 'connected',
        imap: { server: { port, security, username: dovecot.user }, provider: null, maxConnections: 3 },
      });
      expect(account.imap.folders).toContainEqual({
        path: 'Old mail',
        role: 'archive',
        source: 'user',
        problem: null,
      });
      expect(JSON.stringify(account)).not.toContain(dovecot.pass);
      expect(await credentialsOf(account.id)).not.toContain('imap-pass');
      const shown = await user.api.get(`/api/auth/mailbox/${account.id}/imap`);
      expect(shown).toMatchObject({ status: 200, body: { server: account.imap.server } });
      // Before the mailbox has been looked at for the first time.
      expect(rolesOf(shown.body)).toEqual(rolesOf(account.imap));
      const { body } = await user.api.get(`/api/mailbox/${account.id}/messages?maxResults=5`);
      expect(body.messages).toHaveLength(2);
    },
  );

  it('should explain a failed login, in our words and in the server’s', async () => {
    const refused = {
      code: 'imap-login-failed',
      serverText: 'Authentication failed.',
    };
    const tested = await post('/test', mailbox({ password: 'wrong' }));
    expect(tested).toMatchObject({ status: 200, body: { ...refused, success: false, field: 'password' } });
    const { status, body } = await post('', mailbox({ password: 'wrong' }));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { ...refused, errors: [{ field: 'password' }] },
    });
    const [entry] = await sut.dataSource.query(
      `SELECT action, details FROM audit_entries WHERE user_id = $1 AND action = 'account.refused'`,
      [user.id],
    );
    expect(entry.details).toEqual({ provider: 'imap', code: 'imap-login-failed' });
  });

  it('should show a certificate that cannot be verified, and accept it once it is confirmed', async () => {
    const { body } = await post('/test', mailbox({ certificateSha256: undefined }));
    expect(body).toMatchObject({
      success: false,
      code: 'imap-certificate-untrusted',
      field: 'certificateSha256',
      certificate: { sha256: pinned, subject: 'localhost', issuer: 'localhost' },
    });
    const refused = await post('', mailbox({ certificateSha256: undefined }));
    expect(refused).toMatchObject({ status: 400, body: { code: 'imap-certificate-untrusted' } });
    expect(await post('/test', mailbox({ certificateSha256: body.certificate.sha256 }))).toMatchObject({
      body: { success: true },
    });
  });

  it('should never send a password to a server that strips STARTTLS', async () => {
    const server = await ScriptedImapServer.start(new Map(), {});
    const { body } = await post('/test', mailbox({ port: server.port, security: 'starttls' }));
    expect(body).toMatchObject({ success: false, code: 'imap-starttls-missing', field: 'security' });
    expect(server.said.join('\n')).not.toMatch(/LOGIN|AUTHENTICATE/);
    await server.stop();
  });

  it('should report a busy server as a temporary failure', async () => {
    const server = await ScriptedImapServer.start(new Map(), { tls: certificate });
    server.misbehave = (line, socket, tag) =>
      line.includes('AUTHENTICATE') ? socket.write(`${tag} NO [UNAVAILABLE] Later\r\n`) : undefined;
    const changes = { port: server.port, certificateSha256: fingerprintOf(certificate.cert) };
    expect(await post('', mailbox(changes))).toMatchObject({
      status: 503,
      body: { code: 'imap-unavailable', serverText: 'Later' },
    });
    await server.stop();
  });

  it('should detect a server that does not know the size of its messages', async () => {
    const messages = new Map([[1, { raw: MAIL, size: MAIL.length + 7 }]]);
    const server = await ScriptedImapServer.start(messages, { tls: certificate });
    server.misbehave = (line, socket, tag) => {
      if (line.includes(' FETCH ') && !line.includes('UID FETCH')) {
        socket.write(`* 1 FETCH (UID 1 RFC822.SIZE ${MAIL.length + 7})\r\n${tag} OK done\r\n`);
        return true;
      }
      return undefined;
    };
    const changes = { port: server.port, certificateSha256: fingerprintOf(certificate.cert) };
    expect(await post('/test', mailbox(changes))).toMatchObject({
      body: { success: true, exactSizes: false },
    });
    await server.stop();
  });

  it.each([['outlook.office365.com', 'imap-oauth-only']])(
    'should redirect users of %s',
    async (host, code) => {
      const { status, body } = await post('', mailbox({ host, port: 993, certificateSha256: undefined }));
      expect({ status, body }).toMatchObject({ status: 400, body: { code, errors: [{ field: 'host' }] } });
    },
  );

  it.each([
    ['email', { email: 'no address' }],
    ['password', { password: '' }],
    ['password', { password: 'a\nb' }],
    ['host', { host: 'imap.example.org/x' }],
    ['host', { host: undefined }],
    ['port', { port: 0 }],
    ['security', { security: 'none' }],
    ['certificateSha256', { certificateSha256: 'abc' }],
    ['accountId', { accountId: 'abc' }],
    ['roles', { roles: { A: 'archive', B: 'archive' } }],
    ['roles', { roles: { A: 'inbox' } }],
    ['roles', { roles: { 'No such folder': 'archive' } }],
  ])('should name %s when it is wrong', async (field, changes) => {
    const { status, body } = await post('', mailbox(changes));
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  it('should not touch accounts of others, and refuse requests without a token', async () => {
    const { id } = await connect();
    const stranger = await sut.user();
    const foreign = { status: 403, body: { code: 'account-not-owned' } };
    expect(await stranger.api.post('/api/auth/mailbox/imap', mailbox({ accountId: id }))).toMatchObject(
      foreign,
    );
    expect(await stranger.api.get(`/api/auth/mailbox/${id}/imap`)).toMatchObject(foreign);
    expect(await stranger.api.patch(`/api/auth/mailbox/${id}/imap`, { roles: {} })).toMatchObject(foreign);
    for (const path of ['', '/test', '/discover'])
      expect((await sut.anonymous.post(`/api/auth/mailbox/imap${path}`, mailbox())).status).toBe(401);
  });

  it('should reconnect a mailbox with only its new password, and no other mailbox in its place', async () => {
    const { id } = await connect({ roles: { 'Old mail': 'archive' } });
    const before = await credentialsOf(id);
    await sut.dataSource.query(`UPDATE mailbox_accounts SET status = 'needs_reauth' WHERE id = $1`, [id]);
    const again = { email: 'alice@imap.test', password: dovecot.pass, accountId: id };
    const confirmed = { path: 'Old mail', role: 'archive', source: 'user', problem: null };
    expect((await post('/test', again)).body.folders).toContainEqual(confirmed);
    expect(await post('', again)).toMatchObject({ status: 201, body: { id, status: 'connected' } });
    expect(await credentialsOf(id)).not.toBe(before);
    expect(await post('', { ...again, email: 'bob@imap.test' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'email' }] },
    });
  });

  it('should change the server only together with the password, and the folders without it', async () => {
    const { id } = await connect();
    const path = `/api/auth/mailbox/${id}/imap`;
    await user.api.get(`/api/mailbox/${id}/labels`);
    const moved = await user.api.patch(path, { host: 'imap.example.org' });
    expect(moved).toMatchObject({ status: 400, body: { errors: [{ field: 'password' }] } });
    const port = { port: dovecot.port, security: 'starttls', password: dovecot.pass };
    expect(await user.api.patch(path, port)).toMatchObject({
      status: 200,
      body: { server: { host: 'localhost', port: dovecot.port, security: 'starttls' } },
    });
    const { body } = await user.api.patch(path, { roles: { 'Old mail': 'archive' } });
    expect(body.folders).toContainEqual({ path: 'Old mail', role: 'archive', source: 'user', problem: null });
    const changed = await user.api.patch(path, { roles: { 'Old mail': 'drafts' } });
    expect(changed.body.folders).toContainEqual({
      path: 'Old mail',
      role: 'drafts',
      source: 'user',
      problem: null,
    });
    expect(await user.api.patch(path, { roles: { Nowhere: 'archive' } })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'roles' }] },
    });
    expect(await user.api.patch(path, {})).toMatchObject({ status: 400, body: { code: 'no-fields' } });
  });

  it('should refuse to show a mailbox of another kind', async () => {
    const id = await user.connect('other-kind@sandbox.mailroom.test');
    expect(await user.api.get(`/api/auth/mailbox/${id}/imap`)).toMatchObject({
      status: 404,
      body: { code: 'imap-account-not-found' },
    });
  });

  it('should limit repeated attempts', async () => {
    const answers: number[] = [];
    for (let attempt = 0; attempt <= 30; attempt++)
      answers.push((await post('/discover', { email: 'a@icloud.com' })).status as number);
    expect(answers.slice(0, 30).every((status) => status === 200)).toBe(true);
    expect(answers[30]).toBe(429);
  });

  describe('discovery', () => {
    let web: Server;
    let served: Record<string, string>;

    beforeAll(async () => {
      web = createServer(certificate, ({ headers, url }, response) => {
        const found = served[`${headers.host?.split(':')[0]}${url}`];
        response.writeHead(found === undefined ? 404 : 200).end(found);
      });
      await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
      Object.assign(sut.app.get(AutoconfigClient), { port: (web.address() as AddressInfo).port });
    });
    beforeEach(() => {
      served = {};
      const records = sut.app.get(MailRecords);
      jest.spyOn(records, 'resolveExchanges').mockRejectedValue(new Error('none'));
      jest.spyOn(records, 'resolveServices').mockRejectedValue(new Error('none'));
    });
    afterAll(async () => {
      Object.assign(sut.app.get(AutoconfigClient), { port: 443 });
      await new Promise((resolve) => web.close(resolve));
    });

    const discover = async (email: string): Promise<any> => (await post('/discover', { email })).body;

    it('should know the major providers without any look-up', async () => {
      const { resolveExchanges: exchanges } = sut.app.get(MailRecords);
      expect(await discover('Ada@icloud.com')).toEqual({
        candidates: [
          { host: 'imap.mail.me.com', port: 993, security: 'tls', username: 'Ada', source: 'provider' },
        ],
        hint: { provider: 'iCloud', code: 'app-password', consent_provider: null },
      });
      expect(await discover('ada@gmail.com')).toEqual({
        candidates: [
          {
            host: 'imap.gmail.com',
            port: 993,
            security: 'tls',
            username: 'ada@gmail.com',
            source: 'provider',
          },
        ],
        hint: { provider: 'Gmail', code: 'connect-with-google', consent_provider: 'gmail' },
      });
      expect(exchanges).not.toHaveBeenCalled();
    });

    it('should recognise a provider by the MX hosts of a domain', async () => {
      jest
        .spyOn(sut.app.get(MailRecords), 'resolveExchanges')
        .mockResolvedValue(['in1-smtp.messagingengine.com']);
      const { candidates, hint } = await discover('ada@domain.invalid');
      expect(candidates[0]).toMatchObject({ host: 'imap.fastmail.com', source: 'mail-exchange' });
      expect(hint).toEqual({ provider: 'Fastmail', code: 'app-password', consent_provider: null });
    });

    it('should read service records in order', async () => {
      const services = jest.spyOn(sut.app.get(MailRecords), 'resolveServices');
      services.mockImplementation(async (service) =>
        service === '_imaps._tcp' ? [{ host: 'mail.domain.invalid', port: 993 }] : [],
      );
      expect((await discover('ada@domain.invalid')).candidates).toEqual([
        {
          host: 'mail.domain.invalid',
          port: 993,
          security: 'tls',
          username: 'ada@domain.invalid',
          source: 'dns',
        },
      ]);
    });

    it('should read what a domain publishes over HTTPS, within limits', async () => {
      trust(certificate.cert);
      served = { 'localhost/config.xml': '<clientConfig/>', 'localhost/large.xml': 'x'.repeat(65 * 1024) };
      const client = sut.app.get(AutoconfigClient);
      const fetched = (path: string): Promise<string> =>
        client.fetch(`https://localhost/${path}`, user.id, AbortSignal.timeout(5_000));
      expect(await fetched('config.xml')).toBe('<clientConfig/>');
      await expect(fetched('large.xml')).rejects.toThrow('The file is too large.');
      await expect(fetched('missing.xml')).rejects.toThrow('The host answered 404.');
      jest.restoreAllMocks();
      await expect(fetched('config.xml')).rejects.toThrow(/self-signed/);
    });

    it('should find nothing for an address of an unknown domain', async () => {
      expect(await discover('ada@domain.invalid')).toEqual({ candidates: [], hint: null });
    });
  });
});
