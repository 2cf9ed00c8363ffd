import type { OAuthCredentials } from '../../provider-credentials.port';

/** What a token endpoint answers; a missing refresh token means "keep the one you have". */
export interface RefreshedTokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresAt: Date;
}

/** RFC 6749 section 6, for each provider; implemented by the adapters. */
export abstract class TokenEndpoint {
  /**
   * @param provider wire name, e.g. `gmail`
   * @throws ReauthRequired on `invalid_grant`; ProviderFailure (`unavailable` or `refused`) otherwise
   */
  abstract refresh(provider: string, credentials: OAuthCredentials): Promise<RefreshedTokens>;
}
