import { createHmac, generateKeyPairSync, KeyObject, sign } from 'node:crypto';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppConfig } from '../../platform/config/app-config';
import { OidcTimings, OpenIdProvider, ProviderIdentity } from './openid-provider';

const SECRETS = { nonce: 'the-nonce', codeVerifier: 'v'.repeat(43) };
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Key {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const newKey = (kid: string): Key => ({ kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });
const [KEY, OTHER_KEY] = [newKey('key-1'), newKey('key-1')];

/** A provider that says whatever a test has it say. */
class Forger {
  private server: Server;
  issuer = '';
  published: Key[] = [KEY];
  description: Record<string, unknown> = {};
  /** Handlers by path, which replace the usual answers. */
  answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {};
  idToken: string | undefined;
  userinfo: object = {};
  readonly asked: string[] = [];

  async start(): Promise<void> {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.published = [KEY];
    this.description = {};
    this.answers = {};
    this.idToken = this.token();
    this.userinfo = {};
    this.asked.length = 0;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  claims(): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000);
    return {
      iss: this.issuer,
      sub: 'ada',
      aud: 'mailroom',
      iat: now,
      exp: now + 300,
      nonce: SECRETS.nonce,
      email: 'Ada@Example.org',
      email_verified: true,
    };
  }

  token(changes: Record<string, unknown> = {}, key = KEY, kid = key.kid): string {
    const text = `${part({ alg: 'RS256', kid })}.${part({ ...this.claims(), ...changes })}`;
    return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const path = new URL(request.url ?? '/', this.issuer).pathname;
    this.asked.push(path);
    const own = this.answers[path];
    if (own) return own(request, response);
    const url = (name: string): string => `${this.issuer}/${name}`;
    const bodies: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: this.issuer,
        authorization_endpoint: url('authorize'),
        token_endpoint: url('token'),
        userinfo_endpoint: url('userinfo'),
        jwks_uri: url('keys'),
        ...this.description,
      },
      '/keys': {
        keys: this.published.map(({ kid, publicKey }) => ({
          ...publicKey.export({ format: 'jwk' }),
          kid,
          use: 'sig',
          alg: 'RS256',
        })),
      },
      '/token': { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: this.idToken },
      '/userinfo': this.userinfo,
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(bodies[path] ?? {}));
  }
}

describe('OpenIdProvider', () => {
  const forger = new Forger();
  let provider: OpenIdProvider;

  beforeAll(() => forger.start());
  afterAll(() => forger.stop());
  beforeEach(() => {
    forger.reset();
    provider = providerOf(forger.issuer);
  });

  const providerOf = (
    issuer: string,
    changes: object = {},
    timings: Partial<OidcTimings> = {},
  ): OpenIdProvider => {
    const oidc = {
      issuer,
      clientId: 'mailroom',
      clientSecret: 'secret',
      name: 'SSO',
      registrationOpen: true,
    };
    const config = { http: { appUrl: 'http://localhost:3000' }, oidc: { ...oidc, ...changes } };
    return new OpenIdProvider(
      config as AppConfig,
      Object.assign(new OidcTimings(), { responseMs: 300, exchangeMs: 600, ...timings }),
    );
  };
  const identify = (answer: object = {}): Promise<ProviderIdentity> =>
    provider.identify({ state: 'state', code: 'code', ...answer }, SECRETS);
  const outcome = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'accepted',
      (error: { code?: unknown }) => error.code,
    );

  it('should request a code with state, nonce and an S256 challenge', async () => {
    const url = new URL(await provider.buildAuthorizationUrl('the-state', SECRETS));
    expect(url.origin + url.pathname).toBe(`${forger.issuer}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'mailroom',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: 'http://localhost:3000/api/auth/oidc/callback',
      state: 'the-state',
      nonce: SECRETS.nonce,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const [one, two] = [provider.generateSecrets(), provider.generateSecrets()];
    expect(one.nonce).not.toBe(two.nonce);
    expect(one.codeVerifier).not.toBe(two.codeVerifier);
  });

  it('should read the metadata once and the keys every time', async () => {
    expect(await identify()).toEqual({
      issuer: forger.issuer,
      subject: 'ada',
      name: null,
      verifiedEmail: 'ada@example.org',
    });
    await identify();
    const described = forger.asked.filter((path) => path.startsWith('/.well-known')).length;
    expect([described, forger.asked.filter((path) => path === '/keys').length]).toEqual([1, 2]);
    expect(forger.asked).not.toContain('/userinfo');
  });

  it('should accept keys that change at any time', async () => {
    await identify();
    const next = newKey('key-2');
    forger.published = [next];
    forger.idToken = forger.token({}, next);
    expect(await outcome(identify())).toBe('accepted');
    forger.idToken = forger.token();
    expect(await outcome(identify())).toBe('oidc-token-invalid');
  });

  it.each<[string, () => string | undefined]>([
    ['of another key', () => forger.token({}, OTHER_KEY)],
    ['of an unpublished key', () => forger.token({}, OTHER_KEY, 'key-9')],
    ['without a signature', () => `${part({ alg: 'none' })}.${part(forger.claims())}.`],
    [
      'signed with the client secret',
      () => {
        const text = `${part({ alg: 'HS256' })}.${part(forger.claims())}`;
        return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`;
      },
    ],
    ['altered', () => forger.token().replace(/\.[^.]+\./, `.${part({ ...forger.claims(), sub: 'eve' })}.`)],
    ['for another client', () => forger.token({ aud: 'another' })],
    ['for several clients without saying which', () => forger.token({ aud: ['mailroom', 'another'] })],
    ['of another issuer', () => forger.token({ iss: 'https://evil.example' })],
    ['of another sign-in', () => forger.token({ nonce: 'another' })],
    ['without a nonce', () => forger.token({ nonce: undefined })],
    ['that has expired', () => forger.token({ exp: Math.floor(Date.now() / 1000) - 60 })],
    ['without a subject', () => forger.token({ sub: undefined })],
    ['of an endless subject', () => forger.token({ sub: 'a'.repeat(256) })],
    ['of an empty subject', () => forger.token({ sub: '' })],
    ['of a subject that is not text', () => forger.token({ sub: ['ada'] })],
    ['of a subject that cannot be stored', () => forger.token({ sub: 'a\u0000da' })],
    ['that is malformed', () => 'not a token'],
    ['that is missing', () => undefined],
  ])('should not be trusted with an ID token %s', async (_what, idToken) => {
    forger.idToken = idToken();
    expect(await outcome(identify())).toMatch(/^oidc-(token-invalid|failed)$/);
  });

  it('should refuse an answer that names another issuer (RFC 9207)', async () => {
    expect(await outcome(identify({ iss: forger.issuer }))).toBe('accepted');
    expect(await outcome(identify({ iss: 'https://evil.example' }))).toBe('oidc-token-invalid');
    forger.description = { authorization_response_iss_parameter_supported: true };
    provider = providerOf(forger.issuer);
    expect(await outcome(identify({ iss: forger.issuer }))).toBe('accepted');
    expect(await outcome(identify())).toBe('oidc-token-invalid');
  });

  it('should refuse the metadata of another issuer', async () => {
    forger.description = { issuer: 'https://accounts.example' };
    expect(await outcome(provider.buildAuthorizationUrl('state', SECRETS))).toBe('oidc-failed');
    forger.description = {};
    expect(await outcome(providerOf(`${forger.issuer}/`).buildAuthorizationUrl('state', SECRETS))).toBe(
      'accepted',
    );
  });

  it('should request the address when the token has no verified one, and never mix the two', async () => {
    forger.idToken = forger.token({ email_verified: undefined, name: undefined });
    forger.userinfo = { sub: 'ada', email: 'other@example.org', email_verified: true, name: 'Ada' };
    expect(await identify()).toMatchObject({ verifiedEmail: 'other@example.org', name: 'Ada' });
    forger.userinfo = { sub: 'ada', email_verified: true };
    expect(await identify()).toMatchObject({ verifiedEmail: null });
    forger.userinfo = { sub: 'eve', email: 'eve@example.org', email_verified: true };
    expect(await outcome(identify())).toBe('oidc-token-invalid');
  });

  it('should send the secret by the method that the provider supports, and none when it has none', async () => {
    const sent: (string | undefined)[] = [];
    forger.answers['/token'] = (request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (text) => (body += text));
      request.on('end', () => {
        const form = new URLSearchParams(body);
        sent.push(request.headers.authorization?.split(' ')[0] ?? form.get('client_secret') ?? 'none');
        expect([form.get('code'), form.get('code_verifier')]).toEqual(['code', SECRETS.codeVerifier]);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: forger.idToken }));
      });
    };
    await identify();
    provider = providerOf(forger.issuer, { clientSecret: null });
    await identify();
    forger.description = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    provider = providerOf(forger.issuer);
    await identify();
    expect(sent).toEqual(['Basic', 'none', 'secret']);
  });

  const failing = (status: number, body: object) => (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void, string]>([
    ['a refused code', failing(400, { error: 'invalid_grant' }), 'oidc-failed'],
    ['a refused client', failing(401, { error: 'invalid_client' }), 'oidc-failed'],
    ['an internal error', failing(500, { error: 'server_error' }), 'oidc-unavailable'],
    ['a gateway’s error', failing(502, {}), 'oidc-unavailable'],
    ['no JSON', (_request, response) => void response.end('<html>'), 'oidc-unavailable'],
    ['a closed connection', (request) => void request.socket.destroy(), 'oidc-unavailable'],
    ['silence', () => undefined, 'oidc-unavailable'],
    ['half an answer', (_request, response) => void response.writeHead(200).write('{"a'), 'oidc-unavailable'],
  ])('should be handled when it answers with %s', async (_what, answer, code) => {
    forger.answers['/token'] = answer;
    expect(await outcome(identify())).toBe(code);
  });

  it.each(['/.well-known/openid-configuration', '/keys', '/token', '/userinfo'])(
    'should not be waited for forever at %s',
    async (path) => {
      provider = providerOf(forger.issuer, {}, { responseMs: 5_000, exchangeMs: 10_000 });
      forger.idToken = forger.token({ email_verified: undefined });
      let sent = 0;
      forger.answers[path] = (_request, response) => {
        const piece = Buffer.alloc(256 * 1024, ' ');
        const flood = (): void => {
          while (!response.destroyed && response.write(piece)) sent += piece.length;
        };
        response.writeHead(200, { 'content-type': 'application/json' }).on('drain', flood);
        flood();
      };
      expect(await outcome(identify())).toBe('oidc-unavailable');
      expect(sent).toBeLessThan(32 * 1024 * 1024);
    },
  );

  it.each([
    ['access_denied', 'oidc-denied'],
    ['temporarily_unavailable', 'oidc-unavailable'],
    ['login_required', 'oidc-failed'],
    ['<script>', 'oidc-failed'],
  ])('should be allowed to refuse: %s', async (error, code) => {
    expect(await outcome(identify({ error, code: undefined }))).toBe(code);
    expect(forger.asked).not.toContain('/token');
  });

  it('should recover from outages of the provider, at first and later', async () => {
    forger.answers['/.well-known/openid-configuration'] = failing(503, {});
    provider = providerOf(forger.issuer, {}, { metadataMs: 0 });
    expect(await outcome(identify())).toBe('oidc-unavailable');
    forger.answers = {};
    expect(await outcome(identify())).toBe('accepted');
    // Metadata that was read an hour ago is better than none.
    forger.answers['/.well-known/openid-configuration'] = failing(503, {});
    expect(await outcome(identify())).toBe('accepted');
    expect(await outcome(providerOf('http://127.0.0.1:1').buildAuthorizationUrl('s', SECRETS))).toBe(
      'oidc-unavailable',
    );
  });

  it('should keep the provider’s texts and tokens out of the log', async () => {
    forger.idToken = forger.token({ aud: 'another' });
    const error: unknown = await identify().catch((thrown: unknown) => thrown);
    const causes = [error, (error as Error).cause].map((thrown) =>
      JSON.stringify({ ...(thrown as object), text: String(thrown) }),
    );
    for (const text of causes) {
      expect(text).not.toContain(forger.idToken);
      expect(text).not.toContain('another');
    }
  });
});
