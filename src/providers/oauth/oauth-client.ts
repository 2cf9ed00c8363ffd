import { Injectable } from '@nestjs/common';
import { linkedSignal } from '../../platform/concurrency/abortable';
import { networkFailure, retryAfterInstant } from '../gateway/network-failure';
import { ProviderFailure } from '../gateway/provider-call';
import { ProviderTransport } from '../gateway/provider-transport';
import { ProviderRejected, ProviderUnavailable, ReauthRequired } from '../port/mail-provider.errors';
import type { OAuthCredentials, RefreshedTokens } from '../port/provider-credentials.port';

/** Timeout of a request, shorter than the time for which the refresh lock is held. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 ** 2;
const DEFAULT_LIFETIME_SECONDS = 3_600;

/** A client that is registered with an authorisation server. */
export interface OAuthRegistration {
  readonly clientId: string | null;
  /** Null or empty for a public client. */
  readonly clientSecret: string | null;
  readonly tokenUrl: string;
}

/** Answer of the token endpoint (RFC 6749 section 5.1), with the fields used here. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
  /** ID token (OpenID Connect Core, section 3.1.3.3), as it arrived. */
  readonly idToken?: string;
}

/** Requests to the endpoints of authorisation servers (RFC 6749 section 3.2, RFC 7009, RFC 8628 section 3.1). */
@Injectable()
export class OAuthClient {
  constructor(private readonly transport: ProviderTransport) {}

  /**
   * Exchanges a grant for tokens.
   * @throws ProviderFailure: `refused` with the RFC 6749 error code as its reason, or `unavailable`
   */
  async requestToken(
    client: OAuthRegistration,
    grant: Readonly<Record<string, string>>,
  ): Promise<TokenResponse> {
    const answer = await this.post(client.tokenUrl, {
      ...grant,
      ...authentication(client),
    });
    const { access_token: accessToken, expires_in: lifetime, id_token: idToken } = answer;
    if (typeof accessToken !== 'string') throw networkFailure(new Error('The token answer holds no token'));
    return {
      accessToken,
      ...(typeof answer['refresh_token'] === 'string' && { refreshToken: answer['refresh_token'] }),
      expiresAt: new Date(Date.now() + (Number(lifetime) || DEFAULT_LIFETIME_SECONDS) * 1_000),
      scopes: typeof answer['scope'] === 'string' ? answer['scope'].split(' ').filter(Boolean) : [],
      ...(typeof idToken === 'string' && { idToken }),
    };
  }

  /**
   * Renews the access token of a grant.
   * @throws ReauthRequired on `invalid_grant`; ProviderFailure otherwise
   */
  async refresh(client: OAuthRegistration, credentials: OAuthCredentials): Promise<RefreshedTokens> {
    try {
      return await this.requestToken(client, {
        grant_type: 'refresh_token',
        refresh_token: credentials.refreshToken,
      });
    } catch (error) {
      if (error instanceof ProviderFailure && error.reason === 'invalid_grant')
        throw new ReauthRequired(error);
      throw error;
    }
  }

  /**
   * Revokes a token.
   * @param client authenticates as RFC 7009, section 2.1 demands; missing where the token is enough
   * @throws ProviderFailure
   */
  async revoke(url: string, token: string, client?: OAuthRegistration): Promise<void> {
    await this.post(url, { token, ...(client && authentication(client)) });
  }

  /** Sends a form, and returns the object of the JSON answer. @throws ProviderFailure, see `requestToken` */
  async post(url: string, form: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const limit = linkedSignal(undefined, TIMEOUT_MS, () => new Error('The OAuth endpoint took too long'));
    const answer = await this.transport
      .request({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: new URLSearchParams(form).toString(),
        signal: limit.signal,
        maxBytes: MAX_ANSWER_BYTES,
      })
      .catch((error: unknown) => {
        throw networkFailure(error);
      })
      .finally(() => limit.release());
    const body = parse(answer.body);
    if (answer.status >= 200 && answer.status < 300) return body;
    const code = typeof body['error'] === 'string' ? body['error'] : `http_${answer.status}`;
    const cause = new Error(`The OAuth endpoint answered ${answer.status} ${code}`);
    const trouble = answer.status >= 500 || answer.status === 429 || answer.status === 408;
    throw new ProviderFailure({
      kind: trouble ? 'unavailable' : 'refused',
      reason: code,
      retryAt: retryAfterInstant(answer.headers['retry-after'], Date.now()),
      error: trouble ? new ProviderUnavailable(cause) : new ProviderRejected(code, undefined, cause),
    });
  }
}

/** The fields that name a client, and prove it if it has a secret (RFC 6749, section 2.3.1). */
const authentication = ({ clientId, clientSecret }: OAuthRegistration): Record<string, string> => ({
  client_id: clientId ?? '',
  ...(clientSecret && { client_secret: clientSecret }),
});

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The answer is not JSON, e.g. a proxy's page. The status decides.
    return {};
  }
}
