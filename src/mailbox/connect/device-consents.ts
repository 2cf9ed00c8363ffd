import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { newId } from '../../platform/crypto/ids';
import { SecretBox } from '../../platform/crypto/secret-box';
import { DomainError, ResourceNotFound } from '../../platform/http/domain-error';
import { RedisService } from '../../platform/redis/redis.service';
import {
  type ConnectedMailbox,
  DeviceConsentPending,
  MailboxConnector,
} from '../../providers/port/mailbox-connector.port';
import type { OAuthCredentials } from '../../providers/port/provider-credentials.port';
import { ProviderRejected, ProviderUnavailable } from '../../providers/port/mail-provider.errors';
import { SessionsService } from '../../identity/sessions/sessions.service';
import { isDisconnected } from '../accounts/mailbox-account.entity';
import { ProviderNotConfigured } from '../accounts/mailbox-accounts.errors';
import { MailboxAccountsService } from '../accounts/mailbox-accounts.service';
import { GrantedMailboxes } from './granted-mailboxes';
import { ConnectAttempts } from './imap/connect-attempts';
import { ConsentRefused } from './mailbox-connect.errors';

/** Time for which a result can be asked for, in seconds. */
const RESULT_SECONDS = 600;
const SLOWER_SECONDS = 5;
/** Longest time of a question with the login that follows it, in seconds: no other question uses the code meanwhile. */
const LONGEST_CHECK_SECONDS = 180;

/** A consent with a code, as its user sees it. */
export interface DeviceConsentView {
  readonly id: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string | null;
  readonly expiresAt: Date;
  readonly intervalSeconds: number;
}

/** State of a consent with a code. */
export type DeviceConsentState =
  | { readonly status: 'pending'; readonly intervalSeconds: number }
  | { readonly status: 'connected'; readonly accountId: string; readonly email: string }
  | { readonly status: 'failed'; readonly code: string; readonly detail: string };

interface StoredConsent {
  readonly userId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly accountId: string | null;
  readonly deviceCode: string;
  readonly expiresAt: string;
  readonly intervalSeconds: number;
  readonly result?: Exclude<DeviceConsentState, { status: 'pending' }>;
}

/**
 * Connects mailboxes by a code that the person enters on the issuer's page (RFC 8628), so that the service needs no address
 * that the issuer can reach. The issuer is asked when the client asks, at most once in each interval over all processes.
 */
@Injectable()
export class DeviceConsents {
  constructor(
    private readonly connector: MailboxConnector,
    private readonly accounts: MailboxAccountsService,
    private readonly sessions: SessionsService,
    private readonly granted: GrantedMailboxes,
    private readonly attempts: ConnectAttempts,
    private readonly redis: RedisService,
    private readonly secretBox: SecretBox,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * @param accountId an account of the caller to connect again
   * @throws ProviderNotConfigured, MailboxAccountLimit, AccountNotOwned, ArchiveWithoutMailbox, MailboxConnectedOtherwise,
   *   TooManyRequests, ProviderRejected, ProviderUnavailable
   */
  async begin(user: SessionUser, provider: string, accountId?: string | null): Promise<DeviceConsentView> {
    const again = accountId ? await this.granted.requireAccount(user.id, provider, accountId) : null;
    if (!this.connector.available.includes(provider)) throw new ProviderNotConfigured();
    if (!again || isDisconnected(again)) await this.accounts.requireBelowLimit(user.id);
    await this.attempts.count(user.id);
    const begun = await this.connector.beginDevice(provider);
    const { deviceCode, expiresAt, intervalSeconds } = begun;
    const id = newId();
    await this.store(id, {
      ...{ userId: user.id, sessionId: user.sessionId, provider, deviceCode, accountId: accountId ?? null },
      ...{ expiresAt: expiresAt.toISOString(), intervalSeconds },
    });
    const { userCode, verificationUri, verificationUriComplete } = begun;
    return { id, userCode, verificationUri, verificationUriComplete, expiresAt, intervalSeconds };
  }

  /** Asks for the state of a consent, and connects the mailbox once the person has consented. @throws ResourceNotFound */
  async check(user: SessionUser, id: string): Promise<DeviceConsentState> {
    const consent = await this.find(user.id, id);
    if (consent.result) return consent.result;
    const pending = { status: 'pending', intervalSeconds: consent.intervalSeconds } as const;
    const turn = this.redis.key('device-consent', id, 'asked');
    if ((await this.redis.client.set(turn, '1', 'EX', LONGEST_CHECK_SECONDS, 'NX')) === null) return pending;
    try {
      return await this.ask(id, consent);
    } finally {
      // The issuer would refuse a question that comes too early.
      await this.redis.client.expire(turn, consent.intervalSeconds);
    }
  }

  private async ask(id: string, consent: StoredConsent): Promise<DeviceConsentState> {
    let mailbox: ConnectedMailbox<OAuthCredentials>;
    try {
      mailbox = await this.connector.finishDevice(consent.provider, consent.deviceCode);
    } catch (error) {
      if (error instanceof DeviceConsentPending) return this.wait(id, consent, error.isTooFast);
      // The next question may be answered.
      if (error instanceof ProviderUnavailable) return this.wait(id, consent, false);
      return this.fail(id, consent, error);
    }
    try {
      await this.requireSession(consent);
      const { userId, provider, accountId: again } = consent;
      const accountId = await this.granted.connect(userId, provider, mailbox, again ?? undefined);
      return await this.finish(id, consent, { status: 'connected', accountId, email: mailbox.email });
    } catch (error) {
      // The code has been used: another question could only be refused.
      return this.fail(id, consent, error);
    }
  }

  private async wait(id: string, consent: StoredConsent, isTooFast: boolean): Promise<DeviceConsentState> {
    const intervalSeconds = consent.intervalSeconds + (isTooFast ? SLOWER_SECONDS : 0);
    if (isTooFast) await this.store(id, { ...consent, intervalSeconds });
    return { status: 'pending', intervalSeconds };
  }

  /** @throws the error when it is a fault of the service */
  private async fail(id: string, consent: StoredConsent, error: unknown): Promise<DeviceConsentState> {
    if (!(error instanceof DomainError)) throw error;
    const { userId, provider } = consent;
    const code = codeOf(error);
    const details = { provider, code };
    await this.audit.recordRefusal({ action: 'account.refused', userId, actorId: userId, details });
    return this.finish(id, consent, { status: 'failed', code, detail: error.detail });
  }

  private async finish<R extends NonNullable<StoredConsent['result']>>(
    id: string,
    consent: StoredConsent,
    result: R,
  ): Promise<R> {
    // The code is worthless from now on.
    await this.store(id, { ...consent, deviceCode: '', result });
    return result;
  }

  /** @throws ConsentRefused when the user has signed out meanwhile */
  private async requireSession({ userId, sessionId }: StoredConsent): Promise<void> {
    const session = await this.sessions.findLive(sessionId);
    if (session?.userId !== userId) throw new ConsentRefused('session-ended');
  }

  private async find(userId: string, id: string): Promise<StoredConsent> {
    const sealed = await this.redis.client.get(this.keyOf(id));
    const consent = sealed === null ? null : this.secretBox.open<StoredConsent>(sealed, id);
    if (consent?.userId !== userId) throw new ResourceNotFound('consent');
    return consent;
  }

  private async store(id: string, consent: StoredConsent): Promise<void> {
    const left = Math.ceil((Date.parse(consent.expiresAt) - Date.now()) / 1_000);
    const sealed = this.secretBox.seal(consent, id);
    await this.redis.client.set(this.keyOf(id), sealed, 'EX', Math.max(0, left) + RESULT_SECONDS);
  }

  private keyOf(id: string): string {
    return this.redis.key('device-consent', id);
  }
}

/** RFC 8628, section 3.5 names two refusals that the person has caused. */
function codeOf(error: DomainError): string {
  if (error instanceof ProviderRejected && error.reason === 'access_denied') return 'consent-denied';
  if (error instanceof ProviderRejected && error.reason === 'expired_token') return 'consent-expired';
  return error.code;
}
