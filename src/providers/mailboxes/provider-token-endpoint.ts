import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config';
import { ProviderFailure } from '../gateway/provider-call';
import { OAuthClient } from '../oauth/oauth-client';
import { OAuthIssuers } from '../oauth/oauth-issuers';
import { ProviderUnavailable } from '../port/mail-provider.errors';
import {
  type OAuthCredentials,
  type RefreshedTokens,
  TokenEndpoint,
} from '../port/provider-credentials.port';

/** Renews tokens at the issuer of their grant; grants without one are for the Gmail API. */
@Injectable()
export class ProviderTokenEndpoint extends TokenEndpoint {
  constructor(
    private readonly oauth: OAuthClient,
    private readonly issuers: OAuthIssuers,
    private readonly config: AppConfig,
  ) {
    super();
  }

  async refresh(_provider: string, credentials: OAuthCredentials): Promise<RefreshedTokens> {
    const { issuer: id } = credentials;
    if (id === undefined) return this.oauth.refresh(this.config.gmail, credentials);
    const issuer = this.issuers.find(id);
    // The operator has removed the client: the grant may be good again once it is back.
    if (!issuer)
      throw new ProviderFailure({
        kind: 'unavailable',
        reason: 'issuer-not-configured',
        error: new ProviderUnavailable(new Error(`The OAuth client of ${id} is not configured`)),
      });
    return this.oauth.refresh(issuer, credentials);
  }
}
