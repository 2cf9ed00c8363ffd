import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const TENANT = 'common';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const IMAP_SCOPE = 'https://outlook.office.com/IMAP.AccessAsUser.All';

interface Device {
  readonly userCode: string;
  readonly scope: string;
  state: 'pending' | 'denied' | 'expired' | { readonly email: string };
}

interface Code {
  readonly email: string;
  readonly challenge: string;
  readonly scope: string;
}

/**
 * An authorisation server with the endpoints and the rules of Microsoft's (RFC 6749 with PKCE, RFC 8628): codes are good for
 * one use, refresh tokens are rotated. Its access tokens can be checked by an IMAP server (RFC 7662).
 */
export class TestOAuthIssuer {
  readonly clientId = 'mailroom-client';
  readonly clientSecret = 'mailroom-client-secret';
  /** Forms that came to the token endpoint, without their secrets. */
  readonly grants: string[] = [];
  /** Scopes that are granted; undefined: those asked for. */
  grantedScopes: string | undefined;
  /** Lifetime of access tokens, in seconds. */
  lifetime = 3_600;
  /** Status with which all endpoints answer instead; 0: none. */
  outage = 0;
  /** The answer about access tokens that mail servers get. */
  introspection: 'truth' | 'refused' | 'unavailable' = 'truth';
  private readonly codes = new Map<string, Code>();
  private readonly devices = new Map<string, Device>();
  private readonly refreshTokens = new Map<string, string>();
  private readonly accessTokens = new Map<string, { email: string; until: number }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestOAuthIssuer> {
    const server = createServer();
    const issuer = new TestOAuthIssuer(server);
    server.on('request', (request, response) => void issuer.handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Address at which an IMAP server asks about access tokens. */
  get introspectionUrl(): string {
    return `${this.url}/introspect`;
  }

  /** Environment of a service that uses it in place of Microsoft. */
  environment(imapPort: number): Record<string, string> {
    return {
      MICROSOFT_CLIENT_ID: this.clientId,
      MICROSOFT_CLIENT_SECRET: this.clientSecret,
      MICROSOFT_LOGIN_URL: this.url,
      MICROSOFT_IMAP_SERVER: `localhost:${imapPort}`,
    };
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  /** Consents on the authorisation page. @returns the code that the browser brings back */
  consent(authorizationUrl: string, email: string): { code: string; state: string } {
    const { searchParams } = new URL(authorizationUrl);
    const code = secret();
    this.codes.set(code, {
      email,
      challenge: searchParams.get('code_challenge') ?? '',
      scope: searchParams.get('scope') ?? '',
    });
    return { code, state: searchParams.get('state') ?? '' };
  }

  /** Answers a request by code on the issuer's page. */
  answerDevice(userCode: string, answer: Device['state']): void {
    const device = [...this.devices.values()].find((each) => each.userCode === userCode);
    if (!device) throw new Error(`There is no code ${userCode}`);
    device.state = answer;
  }

  /** Lets all access tokens end now. */
  expireAccessTokens(): void {
    this.accessTokens.clear();
  }

  /** Ends all grants, as a person does in the settings of the mailbox. */
  revokeGrants(): void {
    this.expireAccessTokens();
    this.refreshTokens.clear();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await readBody(request));
    const { pathname } = new URL(request.url ?? '/', this.url);
    const [status, body] = this.outage ? [this.outage, {}] : this.answer(pathname, form);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private answer(pathname: string, form: URLSearchParams): [number, object] {
    switch (pathname) {
      case `/${TENANT}/oauth2/v2.0/token`:
        return this.token(form);
      case `/${TENANT}/oauth2/v2.0/devicecode`:
        return this.device(form);
      case '/introspect': {
        const held = this.accessTokens.get(form.get('token') ?? '');
        if (this.introspection === 'unavailable') return [503, {}];
        const active = held !== undefined && held.until > Date.now() && this.introspection !== 'refused';
        return [200, active ? { active, username: held.email } : { active: false }];
      }
      default:
        return [404, {}];
    }
  }

  private device(form: URLSearchParams): [number, object] {
    if (form.get('client_id') !== this.clientId) return refusal('invalid_client');
    const deviceCode = secret();
    const userCode = `${randomBytes(2).toString('hex')}-${randomBytes(2).toString('hex')}`.toUpperCase();
    this.devices.set(deviceCode, { userCode, scope: form.get('scope') ?? '', state: 'pending' });
    return [
      200,
      {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: `${this.url}/device`,
        expires_in: 900,
        interval: 1,
      },
    ];
  }

  private token(form: URLSearchParams): [number, object] {
    const grant = form.get('grant_type') ?? '';
    this.grants.push(grant);
    if (form.get('client_id') !== this.clientId || form.get('client_secret') !== this.clientSecret)
      return refusal('invalid_client');
    if (grant === 'authorization_code') {
      const code = this.codes.get(form.get('code') ?? '');
      this.codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (!code || code.challenge !== challenge) return refusal('invalid_grant');
      return this.grant(code.email, code.scope);
    }
    if (grant === 'refresh_token') {
      const email = this.refreshTokens.get(form.get('refresh_token') ?? '');
      if (!email) return refusal('invalid_grant');
      this.refreshTokens.delete(form.get('refresh_token') ?? '');
      return this.grant(email, IMAP_SCOPE);
    }
    if (grant !== DEVICE_GRANT) return refusal('unsupported_grant_type');
    const device = this.devices.get(form.get('device_code') ?? '');
    if (!device) return refusal('invalid_grant');
    if (device.state === 'pending') return refusal('authorization_pending');
    this.devices.delete(form.get('device_code') ?? '');
    if (device.state === 'denied') return refusal('access_denied');
    if (device.state === 'expired') return refusal('expired_token');
    return this.grant(device.state.email, device.scope);
  }

  private grant(email: string, scope: string): [number, object] {
    const [accessToken, refreshToken] = [secret(), secret()];
    this.accessTokens.set(accessToken, { email, until: Date.now() + this.lifetime * 1_000 });
    this.refreshTokens.set(refreshToken, email);
    const claims = { aud: this.clientId, iss: this.url, sub: email, preferred_username: email, email };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return [
      200,
      {
        token_type: 'Bearer',
        access_token: accessToken,
        refresh_token: refreshToken,
        expires_in: this.lifetime,
        scope: this.grantedScopes ?? scope,
        id_token: `${part({ alg: 'none' })}.${part(claims)}.`,
      },
    ];
  }
}

const secret = (): string => randomBytes(24).toString('base64url');

const refusal = (error: string): [number, object] => [
  400,
  { error, error_description: 'AADSTS0000: a text for people' },
];

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
