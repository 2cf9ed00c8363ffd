import { Injectable } from '@nestjs/common';
import { ProviderFailure } from '../../gateway/provider-failure';
import { RefreshedTokens, TokenEndpoint } from '../../gateway/tokens/token-endpoint.port';
import type { OAuthCredentials } from '../../provider-credentials.port';
import { ReauthRequired } from '../../provider-errors';
import { GmailOAuthClient } from './oauth-client';

@Injectable()
export class GmailTokenEndpoint extends TokenEndpoint {
  constructor(private readonly oauth: GmailOAuthClient) {
    super();
  }

  async refresh(_provider: string, credentials: OAuthCredentials): Promise<RefreshedTokens> {
    try {
      return await this.oauth.token({ grant_type: 'refresh_token', refresh_token: credentials.refreshToken });
    } catch (error) {
      if (error instanceof ProviderFailure && error.reason === 'invalid_grant')
        throw new ReauthRequired(error);
      throw error;
    }
  }
}
