import { Injectable, Logger } from '@nestjs/common';
import { abortable, linkedSignal } from '../../platform/concurrency/abortable';
import { RedisLock } from '../../platform/redis/redis-lock';
import { LoginRefused, ProviderUnavailable, ReauthRequired } from '../port/mail-provider.errors';
import type { ProviderAccount } from '../port/mailbox-provider.port';
import {
  MailboxCredentials,
  OAuthCredentials,
  ProviderCredentials,
  TokenEndpoint,
} from '../port/provider-credentials.port';
import { ProviderFailure } from './provider-call';
import { LoginTurn, RefusedLogins } from './refused-logins';

/** Time before its expiry at which a token is refreshed, in milliseconds: longer than a call may wait and take. */
const EXPIRY_MARGIN_MS = 90_000;
/**
 * Time for which decrypted secrets are cached, in milliseconds. A disconnect in another process takes effect after it
 * at the latest.
 */
const CACHED_MS = 10_000;
/**
 * Longest time the refresh lock is held and waited for, in milliseconds; longer than a token request may take. Two
 * refreshes at once are harmless, so no caller waits longer.
 */
const REFRESH_MS = 30_000;
/** Limit of cached accounts, more than any process serves within `CACHED_MS`. */
const MAX_CACHED = 1_000;

interface Cached {
  readonly credentials: MailboxCredentials;
  readonly until: number;
}

/** Limits of one caller's wait for a secret. A refresh goes on for the other callers when one gives up. */
export interface SecretWait {
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds; default: no limit. */
  readonly deadline?: number;
}

/** The secret that one attempt presents to the provider. */
export interface AttemptSecret {
  readonly kind: 'token' | 'password';
  readonly value: string;
  /** Permission to log in with it; null for tokens of the Gmail API, which has no login. */
  readonly login: LoginTurn | null;
}

/**
 * Provides valid access tokens, and passwords as long as the provider accepts them. Over all processes, one refresh per
 * account runs at a time, so that no refresh token is lost.
 */
@Injectable()
export class ProviderSecrets {
  private readonly logger = new Logger(ProviderSecrets.name);
  private readonly cache = new Map<string, Cached>();
  private readonly loading = new Map<string, Promise<MailboxCredentials>>();
  private readonly refreshing = new Map<string, Promise<string>>();

  constructor(
    private readonly credentials: ProviderCredentials,
    private readonly endpoint: TokenEndpoint,
    private readonly lock: RedisLock,
    private readonly logins: RefusedLogins,
  ) {}

  /**
   * Returns a token that is valid for at least a minute, or the password.
   * @throws MailboxDisconnected, ReauthRequired, LoginRefused; ProviderFailure when the token endpoint or Redis cannot
   *   be reached; ProviderUnavailable past the deadline; the signal's reason when it aborts
   */
  async getCurrent(account: ProviderAccount, wait: SecretWait = {}): Promise<string> {
    return (await this.obtainSecret(account, wait, false)).value;
  }

  /**
   * Returns the secret for an attempt that begins now, see `getCurrent`. After a refused login this attempt may be the
   * one further try, so its end must be reported with `endAttempt` or `reportRefusedLogin`.
   */
  beginAttempt(account: ProviderAccount, wait: SecretWait = {}): Promise<AttemptSecret> {
    return this.obtainSecret(account, wait, true);
  }

  /** Records that the attempt has ended without its login being refused. @param accepted whether the login was accepted */
  async endAttempt({ login }: AttemptSecret, accepted: boolean): Promise<void> {
    if (login) await this.logins.endTrial(login, accepted);
  }

  /**
   * Records that the provider refused the password, or a token that had just been renewed. Returns when the account has been
   * connected again since.
   * @throws LoginRefused the first time; ReauthRequired the second time; MailboxDisconnected; ProviderUnavailable
   *   without Redis or past the deadline; the signal's reason when it aborts
   */
  reportRefusedLogin(
    account: ProviderAccount,
    login: LoginTurn,
    failure: ProviderFailure,
    wait: SecretWait,
  ): Promise<void> {
    return waitWithin(wait, async () => {
      this.cache.delete(account.id);
      const stored = await this.load(account.id);
      if (versionOf(stored) !== login.version) return;
      const retryAt = await this.logins.recordRefusal(login, failure.reason);
      if (retryAt === null) return this.giveUp(account.id, stored, failure.error);
      this.logger.warn(`Account ${account.id}: the provider refused the login: ${failure.reason}`);
      throw new LoginRefused(retryAt, failure.reason, failure.error);
    });
  }

  private async obtainSecret(
    account: ProviderAccount,
    wait: SecretWait,
    begins: boolean,
  ): Promise<AttemptSecret> {
    const cached = this.cache.get(account.id);
    const held = cached && cached.until > Date.now() ? cached.credentials : undefined;
    if (held && held.kind !== 'password' && held.grantId === undefined && isFresh(held))
      return { kind: 'token', value: held.accessToken, login: null };
    return waitWithin(wait, async () => {
      const credentials = held ?? (await this.load(account.id));
      const secret = await this.secretOf(account, credentials);
      const version = versionOf(credentials);
      return version === null ? secret : this.withLogin(account, secret, version, begins);
    });
  }

  private async secretOf(account: ProviderAccount, credentials: MailboxCredentials): Promise<AttemptSecret> {
    if (credentials.kind === 'password')
      return { kind: 'password', value: credentials.password, login: null };
    const { accessToken } = credentials;
    const value = isFresh(credentials) ? accessToken : await this.renewOnce(account, accessToken);
    return { kind: 'token', value, login: null };
  }

  private async withLogin(
    account: ProviderAccount,
    secret: AttemptSecret,
    version: string,
    begins: boolean,
  ): Promise<AttemptSecret> {
    const login = await this.logins.begin(account.id, version, begins);
    if (login && !(login instanceof LoginRefused)) return { ...secret, login };
    // The account may have been connected again since.
    this.cache.delete(account.id);
    const stored = await this.load(account.id);
    if (versionOf(stored) === version) {
      if (login) throw login;
      // The login is refused for good, which Redis knows even if the account could not be marked.
      await this.giveUp(account.id, stored);
    }
    return this.obtainSecret(account, {}, begins);
  }

  /** Marks the account. Returns when other credentials have been stored since. @throws ReauthRequired */
  private async giveUp(accountId: string, refused: MailboxCredentials, cause?: unknown): Promise<void> {
    if (!(await this.credentials.markReauthRequired(accountId, refused))) return;
    this.logger.log(`Account ${accountId} must be connected again: its credentials are no longer accepted`);
    throw new ReauthRequired(cause);
  }

  /**
   * Returns a token other than `rejected`, which the provider has not accepted or which is about to expire.
   * @throws like `getCurrent`
   */
  renew(account: ProviderAccount, rejected: string, wait: SecretWait = {}): Promise<string> {
    return waitWithin(wait, () => this.renewOnce(account, rejected));
  }

  private renewOnce(account: ProviderAccount, rejected: string): Promise<string> {
    const running = this.refreshing.get(account.id);
    if (running) return running;
    const key = ['provider', `{${account.id}}`, 'refresh'];
    const renewal = this.lock
      .run(key, () => this.refresh(account, rejected), { heldMs: REFRESH_MS, waitMs: REFRESH_MS })
      .finally(() => this.refreshing.delete(account.id));
    this.refreshing.set(account.id, renewal);
    return renewal;
  }

  private async refresh(account: ProviderAccount, rejected: string): Promise<string> {
    // Another process, or a reconnect, may have been faster.
    const held = tokensOf(await this.load(account.id));
    if (held.accessToken !== rejected && isFresh(held)) return held.accessToken;
    try {
      const answer = await this.endpoint.refresh(account.provider, held);
      return await this.store(account.id, held, {
        ...held,
        accessToken: answer.accessToken,
        expiresAt: answer.expiresAt,
        refreshToken: answer.refreshToken ?? held.refreshToken,
      });
    } catch (error) {
      if (!(error instanceof ReauthRequired)) throw error;
      return await this.reauthorise(account, held, error);
    }
  }

  private async store(accountId: string, held: OAuthCredentials, renewed: OAuthCredentials): Promise<string> {
    if (await this.credentials.save(accountId, renewed, held)) {
      this.remember(accountId, renewed);
      return renewed.accessToken;
    }
    // The account was connected again in the meantime: the new grant counts.
    return tokensOf(this.remember(accountId, await this.credentials.load(accountId))).accessToken;
  }

  private async reauthorise(
    account: ProviderAccount,
    held: OAuthCredentials,
    error: ReauthRequired,
  ): Promise<string> {
    this.cache.delete(account.id);
    await this.giveUp(account.id, held, error);
    return tokensOf(this.remember(account.id, await this.credentials.load(account.id))).accessToken;
  }

  private load(accountId: string): Promise<MailboxCredentials> {
    const running = this.loading.get(accountId);
    if (running) return running;
    const loading = this.credentials
      .load(accountId)
      .then((credentials) => this.remember(accountId, credentials))
      .finally(() => this.loading.delete(accountId));
    this.loading.set(accountId, loading);
    return loading;
  }

  private remember(accountId: string, credentials: MailboxCredentials): MailboxCredentials {
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(accountId, { credentials, until: Date.now() + CACHED_MS });
    return credentials;
  }
}

/** Waits for work that other callers may share. The work goes on when this caller gives up. */
async function waitWithin<T>(
  { signal, deadline = Infinity }: SecretWait,
  work: () => Promise<T>,
): Promise<T> {
  const limit = linkedSignal(signal, deadline - Date.now(), () => new ProviderUnavailable());
  try {
    return await abortable(work(), limit.signal);
  } finally {
    limit.release();
  }
}

/** Identifies what logs in: the stored password, or the grant. Null for grants for the Gmail API, which has no login. */
function versionOf(credentials: MailboxCredentials): string | null {
  return (credentials.kind === 'password' ? credentials.version : credentials.grantId) ?? null;
}

/** @throws ProviderFailure when a password has replaced the tokens: the next attempt uses the password */
function tokensOf(credentials: MailboxCredentials): OAuthCredentials {
  if (credentials.kind !== 'password') return credentials;
  throw new ProviderFailure({ kind: 'unavailable', reason: 'reconnected', error: new ProviderUnavailable() });
}

function isFresh(credentials: OAuthCredentials): boolean {
  return credentials.expiresAt.getTime() - Date.now() > EXPIRY_MARGIN_MS;
}
