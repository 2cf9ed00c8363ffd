import { Injectable } from '@nestjs/common';
import { AppConfig, type OAuthIssuerConfig } from '../../platform/config/app-config';

/** Authorisation servers whose access tokens log in to IMAP servers, as the operator has configured them. */
@Injectable()
export class OAuthIssuers {
  constructor(private readonly config: AppConfig) {}

  /** Wire names of the configured issuers. */
  list(): string[] {
    return this.config.oauthIssuers.map(({ id }) => id);
  }

  /** Finds an issuer by its wire name; null: it is not configured. */
  find(id: string): OAuthIssuerConfig | null {
    return this.config.oauthIssuers.find((issuer) => issuer.id === id) ?? null;
  }
}
