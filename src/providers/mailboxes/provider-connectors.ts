import { Injectable } from '@nestjs/common';
import { GmailConnector } from '../gmail/gmail-connector';
import { IssuerConnector } from '../oauth/issuer-connector';
import {
  type AuthorizationRequest,
  type CodeExchange,
  type ConnectedMailbox,
  type DeviceAuthorization,
  MailboxConnector,
} from '../port/mailbox-connector.port';
import type { OAuthCredentials } from '../port/provider-credentials.port';

const GMAIL = 'gmail';

/** Obtains grants of every kind: for the Gmail API, or for IMAP. */
@Injectable()
export class ProviderConnectors extends MailboxConnector {
  readonly available: readonly string[];

  constructor(
    private readonly gmail: GmailConnector,
    private readonly issuers: IssuerConnector,
  ) {
    super();
    this.available = [...gmail.available, ...issuers.list()];
  }

  imapServerOf(provider: string): { readonly host: string; readonly port: number } | null {
    return provider === GMAIL ? null : this.issuers.serverOf(provider);
  }

  buildAuthorizationUrl(provider: string, request: AuthorizationRequest): string {
    if (provider === GMAIL) return this.gmail.buildAuthorizationUrl(request);
    return this.issuers.buildAuthorizationUrl(provider, request);
  }

  exchange(provider: string, exchange: CodeExchange): Promise<ConnectedMailbox<OAuthCredentials>> {
    return provider === GMAIL ? this.gmail.exchange(exchange) : this.issuers.exchange(provider, exchange);
  }

  beginDevice(provider: string): Promise<DeviceAuthorization> {
    return this.issuers.beginDevice(provider);
  }

  finishDevice(provider: string, deviceCode: string): Promise<ConnectedMailbox<OAuthCredentials>> {
    return this.issuers.finishDevice(provider, deviceCode);
  }

  revoke(credentials: OAuthCredentials): Promise<void> {
    const { issuer } = credentials;
    return issuer === undefined ? this.gmail.revoke(credentials) : this.issuers.revoke(issuer, credentials);
  }
}
