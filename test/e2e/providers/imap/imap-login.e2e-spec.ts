import type { ImapFlow } from 'imapflow';
import type { AppConfig } from '../../../../src/platform/config/app-config';
import { EgressGuard } from '../../../../src/platform/egress/egress-guard';
import { HostResolver } from '../../../../src/platform/egress/host-resolver';
import {
  connectProblemOf,
  ImapLogin,
  type ImapServer,
} from '../../../../src/providers/imap/login/imap-login';
import { TestImapServer } from '../../../support/imap/imap-server';
import { ScriptedImapServer } from '../../../support/imap/scripted-imap-server';
import { fingerprintOf, testCertificate } from '../../../support/imap/test-certificate';
import { trust } from '../../../support/imap/trust';
import { readFileSync } from 'node:fs';

const USER = 'user';
const SECRET = 'a-secret-9d1c';

const login = (allowPrivateNetworks = true): ImapLogin => {
  const config = { egress: { allowPrivateNetworks, dnsServers: [] } } as unknown as AppConfig;
  return new ImapLogin(new EgressGuard(config, new HostResolver(config)));
};

describe('ImapLogin', () => {
  const certificate = testCertificate();
  const opened: ImapFlow[] = [];
  const servers: ScriptedImapServer[] = [];
  let dovecot: TestImapServer;

  beforeAll(async () => {
    dovecot = await TestImapServer.start();
  });
  afterEach(async () => {
    for (const client of opened.splice(0)) client.close();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    jest.restoreAllMocks();
  });
  afterAll(() => dovecot.stop());

  const open = async (
    server: ImapServer,
    password = SECRET,
    options: { signal?: AbortSignal; timings?: object; guard?: boolean } = {},
  ): Promise<ImapFlow> => {
    const { signal, timings, guard = true } = options;
    const client = await login(guard).open(
      server,
      { kind: 'password', value: password },
      { userId: USER, signal, timings },
    );
    opened.push(client);
    return client;
  };
  const problem = async (...given: Parameters<typeof open>): Promise<any> => {
    const error = await open(...given).catch((thrown: unknown) => thrown);
    return connectProblemOf(error) ?? error;
  };
  const scripted = async (kind: 'tls' | 'startTls' | null): Promise<ScriptedImapServer> => {
    const server = await ScriptedImapServer.start(new Map(), kind ? { [kind]: certificate } : {});
    servers.push(server);
    return server;
  };
  /** Nothing of what was said, in any encoding a login may have, has the password. */
  const keptSecret = (server: ScriptedImapServer): void => {
    const said = server.said.join('\n');
    const words = said.split(/\s+/).map((word) => Buffer.from(word, 'base64').toString('latin1'));
    expect([said, ...words].join('\n')).not.toContain(SECRET);
    expect(said).not.toMatch(/LOGIN|AUTHENTICATE/);
  };

  describe('a real server', () => {
    const at = (changes: Partial<ImapServer> = {}): ImapServer => ({
      host: 'localhost',
      port: dovecot.tlsPort,
      security: 'tls',
      username: dovecot.user,
      certificateSha256: null,
      ...changes,
    });
    const pem = (): string => readFileSync(dovecot.certificatePath, 'utf8');

    it.each(['tls', 'starttls'] as const)('should accept a login by %s', async (security) => {
      trust(pem());
      const port = security === 'tls' ? dovecot.tlsPort : dovecot.port;
      const client = await open(at({ port, security }), dovecot.pass);
      expect(client.usable).toBe(true);
      // Announced to those who are logged in only.
      expect(client.capabilities.has('CONDSTORE')).toBe(true);
      expect((await client.list()).map(({ path }) => path)).toContain('INBOX');
    });

    it.each(['tls', 'starttls'] as const)(
      'should accept a login by %s with exactly the pinned certificate',
      async (security) => {
        const port = security === 'tls' ? dovecot.tlsPort : dovecot.port;
        const pinned = at({ port, security, certificateSha256: fingerprintOf(pem()) });
        expect((await open(pinned, dovecot.pass)).usable).toBe(true);
        const other = { ...pinned, certificateSha256: fingerprintOf(certificate.cert) };
        expect(await problem(other, dovecot.pass)).toMatchObject({
          code: 'imap-certificate-changed',
          field: 'certificateSha256',
        });
      },
    );

    it('should be refused with another certificate than the pinned one, even a valid one', async () => {
      trust(pem());
      const pinned = at({ certificateSha256: fingerprintOf(certificate.cert) });
      expect(await problem(pinned, dovecot.pass)).toMatchObject({ code: 'imap-certificate-changed' });
    });

    it.each(['tls', 'starttls'] as const)(
      'should not be trusted by %s when self-signed',
      async (security) => {
        const port = security === 'tls' ? dovecot.tlsPort : dovecot.port;
        expect(await problem(at({ port, security }), dovecot.pass)).toEqual({
          code: 'imap-certificate-untrusted',
          detail: 'The certificate of the server is self-signed.',
          field: 'certificateSha256',
          serverText: null,
        });
      },
    );

    it('should not be trusted under another name', async () => {
      trust(pem());
      expect(await problem(at({ host: '127.0.0.1' }), dovecot.pass)).toMatchObject({
        code: 'imap-certificate-untrusted',
        detail: 'The certificate of the server is for another host name.',
      });
    });

    it.each(['tls', 'starttls'] as const)('should show its certificate by %s', async (security) => {
      const port = security === 'tls' ? dovecot.tlsPort : dovecot.port;
      const shown = await login().readCertificate(at({ port, security }), { userId: USER });
      expect(shown).toMatchObject({
        sha256: fingerprintOf(pem()),
        subject: 'localhost',
        issuer: 'localhost',
      });
      expect(shown.validTo.getTime()).toBeGreaterThan(Date.now());
    });

    it('should have its message about a wrong password passed on', async () => {
      trust(pem());
      expect(await problem(at(), 'wrong')).toEqual({
        code: 'imap-login-failed',
        detail: 'The server refused the user name or the password.',
        field: 'password',
        serverText: 'Authentication failed.',
      });
    });

    it('should be distinguished from a server on another kind of port', async () => {
      expect(await problem(at({ port: dovecot.port }))).toMatchObject({
        code: 'imap-tls-failed',
        field: 'security',
      });
      const silent = at({ port: dovecot.tlsPort, security: 'starttls' });
      expect(await problem(silent, SECRET, { timings: { greetingMs: 500 } })).toMatchObject({
        code: 'imap-not-imap',
        field: 'port',
      });
    });

    it('should not be reached where private networks are denied', async () => {
      expect(await problem(at(), dovecot.pass, { guard: false })).toMatchObject({
        code: 'imap-host-refused',
        field: 'host',
      });
    });
  });

  describe('a hostile server', () => {
    const at = (server: ScriptedImapServer, security: ImapServer['security']): ImapServer => ({
      host: 'localhost',
      port: server.port,
      security,
      username: 'alice@imap.test',
      certificateSha256: fingerprintOf(certificate.cert),
    });

    it.each(['tls', 'startTls'] as const)('should accept a login while it behaves (%s)', async (kind) => {
      const server = await scripted(kind);
      await open(at(server, kind === 'tls' ? 'tls' : 'starttls'));
      expect(server.said.join('\n')).toMatch(/AUTHENTICATE PLAIN/);
    });

    it('should not get the password when it does not offer STARTTLS', async () => {
      const server = await scripted(null);
      expect(await problem(at(server, 'starttls'))).toMatchObject({ code: 'imap-starttls-missing' });
      keptSecret(server);
    });

    it('should not get the password when it refuses STARTTLS', async () => {
      const server = await scripted('startTls');
      server.misbehave = (line, socket, tag) =>
        line.includes('STARTTLS') ? socket.write(`${tag} NO not now\r\n`) : undefined;
      expect(await problem(at(server, 'starttls'))).toMatchObject({ code: 'imap-starttls-missing' });
      keptSecret(server);
    });

    it('should not get the password when it sends more after the OK of STARTTLS', async () => {
      const server = await scripted('startTls');
      server.misbehave = (line, socket, tag) =>
        line.includes('STARTTLS')
          ? socket.write(`${tag} OK begin\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n`)
          : undefined;
      expect(await problem(at(server, 'starttls'))).toMatchObject({ code: 'imap-starttls-unsafe' });
      keptSecret(server);
    });

    it.each(['tls', 'startTls', null] as const)(
      'should not be followed into a PREAUTH session (%s)',
      async (kind) => {
        const server = await scripted(kind);
        server.greeting = '* PREAUTH welcome\r\n';
        const answer = await problem(at(server, kind === 'tls' ? 'tls' : 'starttls'));
        expect(['imap-starttls-unsafe', 'imap-starttls-missing']).toContain(answer.code);
        keptSecret(server);
        expect(server.said.join('\n')).not.toMatch(/LIST|EXAMINE|SELECT|NAMESPACE/);
      },
    );

    it.each(['tls', 'startTls'] as const)(
      'should not get the password with a certificate of another host (%s)',
      async (kind) => {
        const server = await scripted(kind);
        const pinned = {
          ...at(server, kind === 'tls' ? 'tls' : 'starttls'),
          certificateSha256: 'ab'.repeat(32),
        };
        expect(await problem(pinned)).toMatchObject({ code: 'imap-certificate-changed' });
        keptSecret(server);
        await login().readCertificate(pinned, { userId: USER });
        keptSecret(server);
      },
    );

    it('should be trusted when it reports that it is busy', async () => {
      const server = await scripted('tls');
      server.greeting = '* BYE Too many connections from your address\r\n';
      expect(await problem(at(server, 'tls'), SECRET, { timings: { greetingMs: 500 } })).toMatchObject({
        code: 'imap-too-many-connections',
        field: null,
        serverText: 'Too many connections from your address',
      });
    });

    it('should not make callers wait long', async () => {
      const server = await scripted('tls');
      server.misbehave = (line) => (line.includes('AUTHENTICATE') ? true : undefined);
      const started = Date.now();
      const answer = await problem(at(server, 'tls'), SECRET, { timings: { openMs: 700 } });
      expect(answer).toMatchObject({ code: 'imap-host-unreachable' });
      expect(Date.now() - started).toBeLessThan(5_000);
    });

    it('should be disconnected when the caller stops', async () => {
      const server = await scripted('tls');
      const caller = new AbortController();
      const reason = new Error('enough');
      server.misbehave = (line) => {
        if (!line.includes('AUTHENTICATE')) return undefined;
        caller.abort(reason);
        return true;
      };
      expect(await problem(at(server, 'tls'), SECRET, { signal: caller.signal })).toBe(reason);
    });

    it('should not exhaust the memory', async () => {
      const server = await scripted('tls');
      server.misbehave = (line, socket) => {
        if (!line.includes('AUTHENTICATE')) return undefined;
        for (let sent = 0; sent < 20; sent++) socket.write('x'.repeat(1024 * 1024));
        return true;
      };
      expect(await problem(at(server, 'tls'))).toMatchObject({ code: 'imap-connection-lost' });
    });
  });
});
