import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { SessionUser } from '../../platform/access/authenticated-user';
import type { IssuedOAuthState } from '../../identity/auth/oauth-state';
import { DomainError } from '../../platform/http/domain-error';
import { AppConfig } from '../../platform/config/app-config';
import { MailboxConnector } from '../../providers/port/mailbox-connector.port';
import { isDisconnected } from '../accounts/mailbox-account.entity';
import { ProviderNotConfigured } from '../accounts/mailbox-accounts.errors';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { SessionsService } from '../../identity/sessions/sessions.service';
import {
  codeChallengeOf,
  ConsentStates,
  newCodeVerifier,
  PendingConsent,
  ReturningClient,
} from './consent-states';
import { GrantedMailboxes } from './granted-mailboxes';
import { ConsentRefused } from './mailbox-connect.errors';

/** The provider's answer as it arrived, which is not trusted. */
export interface ConsentAnswer {
  readonly state: unknown;
  readonly code: unknown;
  readonly error: unknown;
}

/** Connects mailboxes by OAuth consent (RFC 6749 §4.1 with PKCE, RFC 7636). */
@Injectable()
export class MailboxConnectService {
  private readonly logger = new Logger(MailboxConnectService.name);
  private readonly redirectUri: string;

  constructor(
    private readonly connector: MailboxConnector,
    private readonly accounts: MailboxAccountsService,
    private readonly granted: GrantedMailboxes,
    private readonly sessions: SessionsService,
    private readonly states: ConsentStates,
    private readonly audit: AuditTrail,
    private readonly config: AppConfig,
  ) {
    this.redirectUri = `${config.http.appUrl}/api/auth/mailbox/callback`;
  }

  /**
   * Returns the URL for the user's browser, and the secret that ties the consent to it.
   * @param accountId an account of the caller to connect again; the provider's page suggests its address
   * @throws ProviderNotConfigured, MailboxAccountLimit, AccountNotOwned, ArchiveWithoutMailbox, MailboxConnectedOtherwise
   */
  async begin(
    user: SessionUser,
    provider: string,
    accountId?: string,
  ): Promise<{ url: string; consent: IssuedOAuthState }> {
    if (!this.connector.available.includes(provider)) throw new ProviderNotConfigured();
    const again = accountId ? await this.granted.requireAccount(user.id, provider, accountId) : null;
    // A renewed consent does not count towards the maximum. A consent for another mailbox is refused at the end.
    if (!again || isDisconnected(again)) await this.accounts.requireBelowLimit(user.id);
    const codeVerifier = newCodeVerifier();
    const consent = await this.states.issue({
      userId: user.id,
      sessionId: user.sessionId,
      provider,
      codeVerifier,
      accountId: accountId ?? null,
    });
    const url = this.connector.buildAuthorizationUrl(provider, {
      redirectUri: this.redirectUri,
      state: consent.state,
      codeChallenge: codeChallengeOf(codeVerifier),
      loginHint: again?.email,
    });
    return { url, consent };
  }

  /**
   * Handles the provider's answer. In any case the user returns to the settings page: the result is its URL, with the
   * connected address or the code of the error.
   * @param returning identifies the client that comes back
   */
  async complete(answer: ConsentAnswer, returning: ReturningClient): Promise<string> {
    try {
      const email = await this.connect(answer, returning);
      return this.landingUrl({ mailbox: 'connected', account: email });
    } catch (error) {
      return this.landingUrl({ mailbox: 'error', code: this.codeOf(error) });
    }
  }

  private async connect(answer: ConsentAnswer, returning: ReturningClient): Promise<string> {
    const redeemed = await this.states.redeem(answer.state, returning.browserSecret);
    if (!redeemed) throw new ConsentRefused('state-invalid');
    // A consent URL can be sent to another person, whose mailbox must not be connected to the sender's account (RFC
    // 6749 §10.12).
    const { flow: consent, sameBrowser } = redeemed;
    if (!sameBrowser && returning.sessionId !== consent.sessionId)
      throw new ConsentRefused('session-mismatch');
    try {
      return await this.finish(answer, consent);
    } catch (error) {
      const { userId, provider } = consent;
      const details = { provider, code: error instanceof DomainError ? error.code : 'internal-error' };
      await this.audit.recordRefusal({ action: 'account.refused', userId, actorId: userId, details });
      throw error;
    }
  }

  private async finish(answer: ConsentAnswer, consent: PendingConsent): Promise<string> {
    await this.requireSession(consent);
    if (answer.error === 'access_denied') throw new ConsentRefused('consent-denied');
    if (answer.error !== undefined || typeof answer.code !== 'string' || answer.code === '') {
      throw new ConsentRefused('consent-failed');
    }
    const mailbox = await this.connector.exchange(consent.provider, {
      code: answer.code,
      codeVerifier: consent.codeVerifier,
      redirectUri: this.redirectUri,
    });
    // The provider takes a while to answer. No mailbox is connected for a user who signed out meanwhile.
    await this.requireSession(consent);
    await this.granted.connect(consent.userId, consent.provider, mailbox, consent.accountId ?? undefined);
    return mailbox.email;
  }

  private async requireSession(consent: PendingConsent): Promise<void> {
    const session = await this.sessions.findLive(consent.sessionId);
    if (session?.userId !== consent.userId) throw new ConsentRefused('session-ended');
  }

  private codeOf(error: unknown): string {
    if (error instanceof DomainError) {
      this.logger.log(`Mailbox not connected: ${error.code}`);
      return error.code;
    }
    this.logger.error(error);
    return 'internal-error';
  }

  private landingUrl(result: Record<string, string>): string {
    return `${this.config.http.appUrl}/settings?${new URLSearchParams(result).toString()}`;
  }
}
