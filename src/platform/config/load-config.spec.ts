import { getMetadataStorage } from 'class-validator';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Environment } from './environment';
import { ConfigurationInvalid, loadConfig } from './load-config';

const SECRETS = { JWT_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: 'ab'.repeat(32) };
const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/mailroom',
  REDIS_URL: 'redis://redis',
  ...SECRETS,
};

describe('loadConfig', () => {
  it.each([
    ['development', SECRETS],
    ['production', PRODUCTION],
  ])('should fill in the same defaults in %s', (_name, environment) => {
    const sut = loadConfig(environment);
    expect(sut.role).toBe('all');
    expect(sut.storage.maxUploadBytes).toBe(50 * 1024 ** 3);
    expect(sut.registration.open).toBe(true);
    expect(sut.provider).toMatchObject({ unitsPerSecond: 250, unitsPerMinute: 15_000 });
    expect(sut.limits).toEqual({ requestsPerMinute: 1_200, authRequestsPerMinute: 30 });
  });

  it.each([
    ['gmail', 15_000],
    ['gmail-2026', 6_000],
  ])('should use the limits of the preset %s', (preset, unitsPerMinute) => {
    const { provider } = loadConfig({ ...SECRETS, PROVIDER_QUOTA_PRESET: preset });
    expect(provider).toMatchObject({ unitsPerSecond: 250, unitsPerMinute });
  });

  it('should know no issuers of grants for IMAP without a client', () => {
    expect(loadConfig({ ...SECRETS, GOOGLE_CLIENT_ID: 'g', GOOGLE_CLIENT_SECRET: 's' }).oauthIssuers).toEqual(
      [],
    );
  });

  it('should know the issuers that have a client, at their usual or given addresses', () => {
    const { oauthIssuers } = loadConfig({
      ...SECRETS,
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_CLIENT_SECRET: 's',
      GOOGLE_IMAP: 'true',
      MICROSOFT_CLIENT_ID: 'm',
      MICROSOFT_TENANT: 'contoso.example',
      YAHOO_CLIENT_ID: 'y',
      YAHOO_IMAP_SERVER: 'localhost:9993',
    });
    expect(oauthIssuers).toMatchObject([
      {
        id: 'microsoft',
        clientSecret: null,
        tokenUrl: 'https://login.microsoftonline.com/contoso.example/oauth2/v2.0/token',
        imapHost: 'outlook.office365.com',
        imapPort: 993,
      },
      { id: 'google', deviceUrl: null, imapHost: 'imap.gmail.com' },
      { id: 'yahoo', imapHost: 'localhost', imapPort: 9993 },
    ]);
  });

  it('should fill in the defaults of development', () => {
    const sut = loadConfig(SECRETS);
    expect(sut.sandbox).toMatchObject({ enabled: true, messages: 2_000 });
    expect(sut.egress.allowPrivateNetworks).toBe(true);
  });

  it('should treat an empty value as unset', () => {
    expect(loadConfig({ ...SECRETS, PORT: '', APP_URL: '' }).http).toMatchObject({
      port: 3000,
      appUrl: 'http://localhost:3000',
    });
  });

  it.each(['true', 'false', '2', 'loopback', '10.0.0.0/8, ::1', 'uniquelocal,192.0.2.7'])(
    'should accept %s for TRUST_PROXY',
    (value) => {
      expect(() => loadConfig({ ...SECRETS, TRUST_PROXY: value })).not.toThrow();
    },
  );

  it('should let the 2026 preset and single costs override the quota', () => {
    const sut = loadConfig({
      ...SECRETS,
      PROVIDER_QUOTA_PRESET: 'gmail-2026',
      PROVIDER_UNIT_COSTS: 'messages.get=7, history.list=3',
    });
    expect(sut.provider.unitsPerMinute).toBe(6_000);
    expect(sut.provider.unitCosts).toMatchObject({ 'messages.get': 7, 'history.list': 3, 'threads.get': 40 });
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL'],
    [{ ENCRYPTION_KEY: 'short' }, 'ENCRYPTION_KEY'],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET'],
    [{ SANDBOX: 'perhaps' }, 'SANDBOX'],
    [{ TRUST_PROXY: 'maybe' }, 'TRUST_PROXY'],
    [{ TRUST_PROXY: '10.0.0.0/64' }, 'TRUST_PROXY'],
    [{ SANDBOX_MAIL_DIR: '/nowhere/mail' }, 'SANDBOX_MAIL_DIR'],
    [{ GOOGLE_CLIENT_ID: 'client-of-ours' }, 'GOOGLE_CLIENT_SECRET'],
    [{ OIDC_ISSUER: 'https://id.example.org' }, 'OIDC_CLIENT_ID'],
    [{ OIDC_CLIENT_ID: 'client-of-ours' }, 'OIDC_ISSUER'],
    [{ OIDC_CLIENT_SECRET: 'secret-of-ours' }, 'OIDC_ISSUER'],
    [{ OIDC_ISSUER: 'id.example.org', OIDC_CLIENT_ID: 'client-of-ours' }, 'OIDC_ISSUER'],
    [{ OIDC_REGISTRATION: 'perhaps' }, 'OIDC_REGISTRATION'],
    [{ EGRESS_DNS_SERVERS: '192.0.2.1,ns.example.org' }, 'EGRESS_DNS_SERVERS'],
    [{ EGRESS_DNS_SERVERS: '192.0.2.1:99999' }, 'EGRESS_DNS_SERVERS'],
  ])('should name the invalid variable of %j but not its content', (wrong, variable) => {
    const load = (): unknown => loadConfig({ ...SECRETS, ...wrong });
    expect(load).toThrow(ConfigurationInvalid);
    expect(load).toThrow(variable);
    for (const value of Object.values(wrong)) expect(load).not.toThrow(value);
  });

  it.each(['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'ENCRYPTION_KEY'])(
    'should require %s in production',
    (name) => {
      expect(() => loadConfig({ ...PRODUCTION, [name]: undefined })).toThrow(name);
    },
  );

  it('should take DNS servers with and without a port', () => {
    expect(loadConfig(SECRETS).egress.dnsServers).toEqual([]);
    const servers = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:5353'];
    const sut = loadConfig({ ...SECRETS, EGRESS_DNS_SERVERS: servers.join(' , ') });
    expect(sut.egress.dnsServers).toEqual(servers);
  });

  it('should offer single sign-on when it is configured, over https only in production', () => {
    expect(loadConfig({ ...SECRETS, OIDC_NAME: 'Our house' }).oidc).toBeNull();
    const provider = { OIDC_ISSUER: 'http://id.example.org', OIDC_CLIENT_ID: 'client' };
    expect(loadConfig({ ...SECRETS, ...provider, ALLOW_REGISTRATION: 'false' }).oidc).toEqual({
      issuer: 'http://id.example.org',
      clientId: 'client',
      clientSecret: null,
      name: 'Single sign-on',
      registrationOpen: false,
    });
    const open = { ALLOW_REGISTRATION: 'false', OIDC_REGISTRATION: 'true' };
    expect(loadConfig({ ...SECRETS, ...provider, ...open }).oidc?.registrationOpen).toBe(true);
    expect(() => loadConfig({ ...PRODUCTION, ...provider })).toThrow('OIDC_ISSUER');
    const secure = loadConfig({ ...PRODUCTION, ...provider, OIDC_ISSUER: 'https://id.example.org' });
    expect(secure.oidc?.issuer).toBe('https://id.example.org');
  });

  describe('of the listener for copied mail', () => {
    const journal = {
      SMTP_JOURNAL_PORT: '2525',
      SMTP_JOURNAL_DOMAIN: 'Archive.Example',
      SMTP_JOURNAL_ALLOWED_NETWORKS: '192.0.2.1, 2001:db8::/32,::1',
    };

    it('should be off without a port', () => {
      expect(loadConfig(SECRETS).journal).toBeNull();
      expect(loadConfig({ ...SECRETS, ...journal, SMTP_JOURNAL_PORT: '' }).journal).toBeNull();
    });

    it('should fill in its defaults', () => {
      expect(loadConfig({ ...SECRETS, ...journal }).journal).toEqual({
        ...{ port: 2525, host: '127.0.0.1', domain: 'archive.example', tls: null, requireTls: false },
        networks: ['192.0.2.1/32', '2001:db8::/32', '::1/128'],
        ...{
          maxMessageBytes: 157_286_400,
          maxConnections: 50,
          maxBytesInFlight: 536_870_912,
          idleMs: 60_000,
        },
      });
      expect(loadConfig({ ...PRODUCTION, ...journal }).journal?.host).toBe('0.0.0.0');
    });

    it.each([
      [{ SMTP_JOURNAL_DOMAIN: '' }, 'SMTP_JOURNAL_DOMAIN'],
      [{ SMTP_JOURNAL_DOMAIN: 'a b' }, 'SMTP_JOURNAL_DOMAIN'],
      [{ SMTP_JOURNAL_ALLOWED_NETWORKS: '' }, 'SMTP_JOURNAL_ALLOWED_NETWORKS'],
      [{ SMTP_JOURNAL_ALLOWED_NETWORKS: '192.0.2.0/33' }, 'SMTP_JOURNAL_ALLOWED_NETWORKS'],
      [{ SMTP_JOURNAL_ALLOWED_NETWORKS: 'mail.example' }, 'SMTP_JOURNAL_ALLOWED_NETWORKS'],
      [{ SMTP_JOURNAL_TLS_CERT: __filename }, 'SMTP_JOURNAL_TLS_KEY'],
      [{ SMTP_JOURNAL_TLS_KEY: __filename }, 'SMTP_JOURNAL_TLS_CERT'],
      [{ SMTP_JOURNAL_TLS_CERT: '/nowhere', SMTP_JOURNAL_TLS_KEY: __filename }, 'SMTP_JOURNAL_TLS_CERT'],
      [{ SMTP_JOURNAL_REQUIRE_TLS: 'true' }, 'SMTP_JOURNAL_TLS_CERT'],
      [{ SMTP_JOURNAL_MAX_MESSAGE_BYTES: '157286401' }, 'SMTP_JOURNAL_MAX_MESSAGE_BYTES'],
    ])('should not start with %j', (wrong, variable) => {
      expect(() => loadConfig({ ...SECRETS, ...journal, ...wrong })).toThrow(`check ${variable} (`);
    });
  });

  it('should keep the sandbox out of production and deny private networks', () => {
    const sut = loadConfig(PRODUCTION);
    expect(sut.sandbox.enabled).toBe(false);
    expect(sut.egress.allowPrivateNetworks).toBe(false);
    expect(() => loadConfig({ ...PRODUCTION, SANDBOX: 'true' })).toThrow('SANDBOX');
  });

  it('should generate the quick start’s secrets once, readable by the owner only', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-config-'));
    try {
      const first = loadConfig({ DATA_DIR: dataDir });
      const second = loadConfig({ DATA_DIR: dataDir });
      expect(second.secrets).toEqual(first.secrets);
      expect(first.secrets.encryptionKey).toHaveLength(32);
      expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });

  it('should have exactly the variables that .env.example explains', () => {
    const known = new Set(
      getMetadataStorage()
        .getTargetValidationMetadatas(Environment, '', false, false)
        .map((metadata) => metadata.propertyName),
    );
    const example = readFileSync(join(__dirname, '../../../.env.example'), 'utf8');
    const listed = [...example.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual([...known].sort());
    const explained = (name: string): boolean =>
      new RegExp(`^#.*\\n(?:[A-Z_]+=.*\\n)*${name}=`, 'm').test(example);
    expect([...known].filter((name) => !explained(name))).toEqual([]);
  });

  it('should have the defaults that .env.example shows', () => {
    const example = parseEnv(readFileSync(join(__dirname, '../../../.env.example'), 'utf8'));
    const { NODE_ENV, DATABASE_URL, REDIS_URL } = example;
    const required = { NODE_ENV, DATABASE_URL, REDIS_URL, ...SECRETS };
    expect(loadConfig({ ...example, ...SECRETS })).toEqual(loadConfig(required));
    const elsewhere = { ...required, OIDC_ISSUER: 'https://id.example.org', OIDC_CLIENT_ID: 'client' };
    expect(loadConfig({ ...elsewhere, OIDC_NAME: example['OIDC_NAME'] })).toEqual(loadConfig(elsewhere));
  });
});
