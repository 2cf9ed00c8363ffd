import { Injectable } from '@nestjs/common';
import { linkedSignal } from '../../platform/concurrency/abortable';
import { AppConfig } from '../../platform/config/app-config';
import { ProviderFailure } from '../gateway/provider-call';
import { ProviderRejected, ProviderUnavailable, ReauthRequired } from '../port/mail-provider.errors';
import { RefreshedTokens, TokenEndpoint } from '../port/provider-credentials.port';
import type { OAuthCredentials } from '../port/provider-credentials.port';
import { networkFailure, retryInstant } from './gmail-error';
import { GmailTransport } from './gmail-transport';

/** Timeout of a request, shorter than the time for which the refresh lock is held. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 ** 2;

/** Answer of the token endpoint (RFC 6749 section 5.1), with the fields used here. */
export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
}

/** The token and revocation endpoints (RFC 6749 section 3.2, RFC 7009). */
@Injectable()
export class GmailOAuthClient {
  constructor(
    private readonly transport: GmailTransport,
    private readonly config: AppConfig,
  ) {}

  /**
   * Exchanges a grant for tokens.
   * @throws ProviderFailure: `refused` with the RFC 6749 error code as its reason, or `unavailable`
   */
  async requestToken(grant: Readonly<Record<string, string>>): Promise<TokenResponse> {
    const { tokenUrl, clientId, clientSecret } = this.config.gmail;
    const form = {
      ...grant,
      client_id: clientId ?? '',
      ...(clientSecret && { client_secret: clientSecret }),
    };
    const answer = await this.post(tokenUrl, form);
    const { access_token: accessToken, expires_in: lifetime } = answer;
    if (typeof accessToken !== 'string') throw networkFailure(new Error('The token answer holds no token'));
    return {
      accessToken,
      ...(typeof answer['refresh_token'] === 'string' && { refreshToken: answer['refresh_token'] }),
      expiresAt: new Date(Date.now() + (Number(lifetime) || 3_600) * 1_000),
      scopes: typeof answer['scope'] === 'string' ? answer['scope'].split(' ').filter(Boolean) : [],
    };
  }

  /** @throws ProviderFailure */
  async revoke(token: string): Promise<void> {
    await this.post(this.config.gmail.revokeUrl, { token });
  }

  private async post(url: string, form: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
    const limit = linkedSignal(undefined, TIMEOUT_MS, () => new Error('The token endpoint took too long'));
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
      retryAt: retryInstant('', answer.headers['retry-after'], Date.now()),
      error: trouble ? new ProviderUnavailable(cause) : new ProviderRejected(code, undefined, cause),
    });
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The answer is not JSON, e.g. a proxy's page. The status decides.
    return {};
  }
}

@Injectable()
export class GmailTokenEndpoint extends TokenEndpoint {
  constructor(private readonly oauth: GmailOAuthClient) {
    super();
  }

  async refresh(_provider: string, credentials: OAuthCredentials): Promise<RefreshedTokens> {
    try {
      return await this.oauth.requestToken({
        grant_type: 'refresh_token',
        refresh_token: credentials.refreshToken,
      });
    } catch (error) {
      if (error instanceof ProviderFailure && error.reason === 'invalid_grant')
        throw new ReauthRequired(error);
      throw error;
    }
  }
}
