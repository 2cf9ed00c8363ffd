import { Injectable } from '@nestjs/common';
import { newId } from '../../platform/crypto/ids';
import type { OAuthIssuerConfig } from '../../platform/config/app-config';
import { networkFailure } from '../gateway/network-failure';
import { ProviderFailure } from '../gateway/provider-call';
import type {
  AuthorizationRequest,
  CodeExchange,
  ConnectedMailbox,
  DeviceAuthorization,
} from '../port/mailbox-connector.port';
import { DeviceConsentPending } from '../port/mailbox-connector.port';
import { ProviderRejected, ProviderUnavailable } from '../port/mail-provider.errors';
import type { OAuthCredentials } from '../port/provider-credentials.port';
import { readMailboxClaims } from './id-token';
import { OAuthClient, type TokenResponse } from './oauth-client';
import { OAuthIssuers } from './oauth-issuers';

/** Interval of questions when the issuer names none, in seconds (RFC 8628, section 3.2). */
const USUAL_INTERVAL_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 60;
const USUAL_LIFETIME_SECONDS = 900;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 7009 and wordings for "there is nothing left to revoke". */
const ALREADY_REVOKED = new Set(['invalid_token', 'invalid_grant']);

/** Obtains grants for IMAP from configured issuers, by the code flow with PKCE or by device code (RFC 8628). See ADR 112. */
@Injectable()
export class IssuerConnector {
  constructor(
    private readonly issuers: OAuthIssuers,
    private readonly oauth: OAuthClient,
  ) {}

  list(): readonly string[] {
    return this.issuers.list();
  }

  serverOf(id: string): { readonly host: string; readonly port: number } {
    const { imapHost: host, imapPort: port } = this.require(id);
    return { host, port };
  }

  buildAuthorizationUrl(id: string, request: AuthorizationRequest): string {
    const issuer = this.require(id);
    const url = new URL(issuer.authUrl);
    const parameters = {
      response_type: 'code',
      client_id: issuer.clientId,
      redirect_uri: request.redirectUri,
      scope: issuer.scopes.join(' '),
      state: request.state,
      code_challenge: request.codeChallenge,
      code_challenge_method: 'S256',
      ...issuer.extraParameters,
      ...(request.loginHint && { login_hint: request.loginHint }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.toString();
  }

  /** @throws ProviderRejected, ProviderUnavailable */
  exchange(
    id: string,
    { code, codeVerifier, redirectUri }: CodeExchange,
  ): Promise<ConnectedMailbox<OAuthCredentials>> {
    return this.requestGrant(this.require(id), {
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
    });
  }

  /** @throws ProviderRejected when the issuer has no device flow; ProviderUnavailable */
  async beginDevice(id: string): Promise<DeviceAuthorization> {
    const issuer = this.require(id);
    if (issuer.deviceUrl === null)
      throw new ProviderRejected('invalidArgument', `${issuer.name} has no sign-in with a code.`);
    const form = { client_id: issuer.clientId, scope: issuer.scopes.join(' ') };
    const answer = await this.oauth.post(issuer.deviceUrl, form).catch(rethrow);
    const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUri } = answer;
    if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || !isWebAddress(verificationUri))
      throw networkFailure(new Error('The device answer is incomplete')).error;
    const complete = answer['verification_uri_complete'];
    return {
      deviceCode,
      userCode,
      verificationUri,
      verificationUriComplete: isWebAddress(complete) ? complete : null,
      expiresAt: new Date(Date.now() + (Number(answer['expires_in']) || USUAL_LIFETIME_SECONDS) * 1_000),
      intervalSeconds: Math.min(
        LONGEST_INTERVAL_SECONDS,
        Number(answer['interval']) || USUAL_INTERVAL_SECONDS,
      ),
    };
  }

  /** @throws DeviceConsentPending while the person has not answered; ProviderRejected, ProviderUnavailable */
  async finishDevice(id: string, deviceCode: string): Promise<ConnectedMailbox<OAuthCredentials>> {
    return this.requestGrant(this.require(id), { grant_type: DEVICE_GRANT, device_code: deviceCode });
  }

  /** Ends a grant, unless the issuer offers no way to. @throws ProviderUnavailable */
  async revoke(id: string, credentials: OAuthCredentials): Promise<void> {
    const issuer = this.issuers.find(id);
    if (!issuer?.revokeUrl) return;
    try {
      await this.oauth.revoke(issuer.revokeUrl, credentials.refreshToken, issuer);
    } catch (error) {
      if (error instanceof ProviderFailure && ALREADY_REVOKED.has(error.reason)) return;
      throw new ProviderUnavailable(error);
    }
  }

  private async requestGrant(
    issuer: OAuthIssuerConfig,
    grant: Readonly<Record<string, string>>,
  ): Promise<ConnectedMailbox<OAuthCredentials>> {
    const tokens = await this.oauth.requestToken(issuer, grant).catch(rethrow);
    const { accessToken, refreshToken, expiresAt, scopes } = tokens;
    if (!refreshToken)
      throw new ProviderRejected('refreshTokenMissing', `${issuer.name} gave no lasting access.`);
    requireScopes(issuer, tokens);
    const claims = readMailboxClaims(tokens.idToken, issuer.clientId);
    if (!claims)
      throw new ProviderRejected(
        'addressMissing',
        `${issuer.name} did not say which mailbox the access is for.`,
      );
    const credentials = { accessToken, refreshToken, expiresAt, issuer: issuer.id, grantId: newId() };
    return { ...claims, credentials, scopes };
  }

  private require(id: string): OAuthIssuerConfig {
    const issuer = this.issuers.find(id);
    if (!issuer) throw new Error(`The issuer ${id} is not configured`);
    return issuer;
  }
}

/** A response without `scope` grants what was asked for (RFC 6749, section 5.1). */
function requireScopes({ requiredScopes }: OAuthIssuerConfig, { scopes }: TokenResponse): void {
  const granted = new Set(scopes.map((scope) => scope.toLowerCase()));
  if (scopes.length === 0 || requiredScopes.every((scope) => granted.has(scope.toLowerCase()))) return;
  throw new ProviderRejected(
    'insufficientPermissions',
    'Not everything asked for was allowed: connect again and allow all of it.',
  );
}

const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:\/\/\S{1,2000}$/.test(value);

/** Rethrows what a caller of the port knows; RFC 8628, section 3.5 names the two answers of a consent that is pending. */
function rethrow(error: unknown): never {
  if (!(error instanceof ProviderFailure)) throw error;
  if (error.reason === 'authorization_pending') throw new DeviceConsentPending(false);
  if (error.reason === 'slow_down') throw new DeviceConsentPending(true);
  throw error.toDomainError(Date.now());
}
