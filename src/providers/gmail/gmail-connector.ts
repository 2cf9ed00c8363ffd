import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config';
import { ProviderFailure } from '../gateway/provider-call';
import type { AuthorizationRequest, CodeExchange, ConnectedMailbox } from '../port/mailbox-connector.port';
import type { OAuthCredentials } from '../port/provider-credentials.port';
import { ProviderRejected, ProviderUnavailable } from '../port/mail-provider.errors';
import { gmailFailure } from './gmail-error';
import { networkFailure } from '../gateway/network-failure';
import { OAuthClient } from '../oauth/oauth-client';
import { ProviderTransport } from '../gateway/provider-transport';
import { timeoutSignal } from '../../platform/concurrency/timers';

/** The only scope that covers permanent deletion; it includes all the others. */
const FULL_ACCESS = 'https://mail.google.com/';
const PROFILE_PATH = '/gmail/v1/users/me/profile?fields=emailAddress';
/** RFC 7009 and Google's wording of "there is nothing left to revoke". */
const ALREADY_REVOKED = new Set(['invalid_token', 'invalid_grant']);

/** Obtains grants for the Gmail API. */
@Injectable()
export class GmailConnector {
  readonly available: readonly string[];

  constructor(
    private readonly config: AppConfig,
    private readonly oauth: OAuthClient,
    private readonly transport: ProviderTransport,
  ) {
    this.available = config.gmail.clientId ? ['gmail'] : [];
  }

  buildAuthorizationUrl(request: AuthorizationRequest): string {
    const url = new URL(this.config.gmail.authUrl);
    const parameters = {
      response_type: 'code',
      client_id: this.config.gmail.clientId ?? '',
      redirect_uri: request.redirectUri,
      scope: FULL_ACCESS,
      state: request.state,
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
      // A refresh token is only given offline and with a consent screen.
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      ...(request.loginHint && { login_hint: request.loginHint }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.toString();
  }

  /** @throws ProviderRejected, ProviderUnavailable */
  async exchange(request: CodeExchange): Promise<ConnectedMailbox<OAuthCredentials>> {
    try {
      const tokens = await this.oauth.requestToken(this.config.gmail, {
        grant_type: 'authorization_code',
        code: request.code,
        code_verifier: request.codeVerifier,
        redirect_uri: request.redirectUri,
      });
      if (!tokens.scopes.includes(FULL_ACCESS)) throw scopesMissing();
      if (!tokens.refreshToken) throw refreshTokenMissing();
      return {
        email: await this.emailOf(tokens.accessToken),
        credentials: {
          accessToken: tokens.accessToken,
          refreshToken: tokens.refreshToken,
          expiresAt: tokens.expiresAt,
        },
        scopes: tokens.scopes,
      };
    } catch (error) {
      throw error instanceof ProviderFailure ? error.toDomainError(Date.now()) : error;
    }
  }

  /** @throws ProviderUnavailable */
  async revoke(credentials: OAuthCredentials): Promise<void> {
    try {
      await this.oauth.revoke(this.config.gmail.revokeUrl, credentials.refreshToken);
    } catch (error) {
      if (error instanceof ProviderFailure && ALREADY_REVOKED.has(error.reason)) return;
      throw new ProviderUnavailable(error);
    }
  }

  /** Reads the address. The call does not go through the gateway, since there is no account yet. */
  private async emailOf(accessToken: string): Promise<string> {
    const answer = await this.transport
      .request({
        method: 'GET',
        url: this.config.gmail.rootUrl + PROFILE_PATH,
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
        signal: timeoutSignal(15_000),
        maxBytes: 1024 ** 2,
      })
      .catch((error: unknown) => {
        throw networkFailure(error);
      });
    const body = parse(answer.body);
    if (answer.status !== 200) throw gmailFailure({ status: answer.status, body }, { now: Date.now() });
    const email = (body as { emailAddress?: unknown } | null)?.emailAddress;
    if (typeof email !== 'string') throw networkFailure(new Error('The profile holds no address'));
    return email.toLowerCase();
  }
}

function parse(body: Buffer): unknown {
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    // The error mapping accepts text as well.
    return text;
  }
}

function scopesMissing(): ProviderRejected {
  return new ProviderRejected(
    'insufficientPermissions',
    'Not everything asked for was allowed: connect again and tick all boxes.',
  );
}

function refreshTokenMissing(): ProviderRejected {
  return new ProviderRejected(
    'refreshTokenMissing',
    'The provider gave no lasting access: remove the application from the mailbox’s security settings and connect again.',
  );
}
