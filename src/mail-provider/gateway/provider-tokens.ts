import { Injectable, Logger } from '@nestjs/common';
import { abortable, linkedSignal } from '../../common/concurrency/abortable';
import { RedisLock } from '../../common/redis/redis-lock';
import { ProviderUnavailable, ReauthRequired } from '../mail-provider.errors';
import type { ProviderAccount } from '../mailbox-provider.port';
import { OAuthCredentials, ProviderCredentials, TokenEndpoint } from '../provider-credentials.port';

/** Refreshed so long before they expire: longer than a call may wait and travel. */
const EXPIRY_MARGIN_MS = 90_000;
/** Decrypted tokens stay in memory so long; bounds how late a disconnect elsewhere is noticed. */
const CACHED_MS = 10_000;
/** Longer than a token request may take. Two refreshes at once are harmless, so no caller waits longer than this either. */
const REFRESH_MS = 30_000;
/** More accounts than any process serves within `CACHED_MS`. */
const MAX_CACHED = 1_000;

interface Cached {
  readonly credentials: OAuthCredentials;
  readonly until: number;
}

/** How long a caller waits for a token; the refresh goes on for the others. */
export interface TokenWait {
  readonly signal?: AbortSignal | undefined;
  /** Epoch milliseconds; default: no limit. */
  readonly deadline?: number;
}

/** Valid access tokens: refreshed once per account at a time, across processes, without losing a refresh token. */
@Injectable()
export class ProviderTokens {
  private readonly logger = new Logger(ProviderTokens.name);
  private readonly cache = new Map<string, Cached>();
  private readonly loading = new Map<string, Promise<OAuthCredentials>>();
  private readonly refreshing = new Map<string, Promise<string>>();

  constructor(
    private readonly credentials: ProviderCredentials,
    private readonly endpoint: TokenEndpoint,
    private readonly lock: RedisLock,
  ) {}

  /**
   * A token good for at least a minute.
   * @throws MailboxDisconnected, ReauthRequired; ProviderFailure when the token endpoint cannot be reached;
   *   ProviderUnavailable past the deadline; the signal's reason when it aborts
   */
  async current(account: ProviderAccount, wait: TokenWait = {}): Promise<string> {
    const cached = this.cache.get(account.id);
    const held = cached && cached.until > Date.now() ? cached.credentials : undefined;
    if (held && isFresh(held)) return held.accessToken;
    return within(wait, async () => {
      const credentials = held ?? (await this.load(account.id));
      return isFresh(credentials) ? credentials.accessToken : this.renewed(account, credentials.accessToken);
    });
  }

  /**
   * A token other than `rejected`, which the provider has not accepted or which is about to expire.
   * @throws like `current`
   */
  renew(account: ProviderAccount, rejected: string, wait: TokenWait = {}): Promise<string> {
    return within(wait, () => this.renewed(account, rejected));
  }

  private renewed(account: ProviderAccount, rejected: string): Promise<string> {
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
    const held = await this.load(account.id);
    if (held.accessToken !== rejected && isFresh(held)) return held.accessToken;
    try {
      const answer = await this.endpoint.refresh(account.provider, held);
      return await this.store(account.id, held, {
        ...answer,
        refreshToken: answer.refreshToken ?? held.refreshToken,
      });
    } catch (error) {
      if (!(error instanceof ReauthRequired)) throw error;
      return await this.reauthorise(account, held, error);
    }
  }

  private async store(accountId: string, held: OAuthCredentials, renewed: OAuthCredentials): Promise<string> {
    if (await this.credentials.save(accountId, renewed, held)) {
      return this.remember(accountId, renewed).accessToken;
    }
    // Connected anew in the meantime: the new grant counts.
    return this.remember(accountId, await this.credentials.load(accountId)).accessToken;
  }

  private async reauthorise(
    account: ProviderAccount,
    held: OAuthCredentials,
    error: ReauthRequired,
  ): Promise<string> {
    this.cache.delete(account.id);
    if (await this.credentials.markReauthRequired(account.id, held)) {
      this.logger.log(`Account ${account.id} must be connected again: its grant is gone`);
      throw error;
    }
    return this.remember(account.id, await this.credentials.load(account.id)).accessToken;
  }

  private load(accountId: string): Promise<OAuthCredentials> {
    const running = this.loading.get(accountId);
    if (running) return running;
    const loading = this.credentials
      .load(accountId)
      .then((credentials) => this.remember(accountId, credentials))
      .finally(() => this.loading.delete(accountId));
    this.loading.set(accountId, loading);
    return loading;
  }

  private remember(accountId: string, credentials: OAuthCredentials): OAuthCredentials {
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    this.cache.set(accountId, { credentials, until: Date.now() + CACHED_MS });
    return credentials;
  }
}

/** Waits for work that others may share, and that is not stopped by one of them giving up. */
async function within<T>({ signal, deadline = Infinity }: TokenWait, work: () => Promise<T>): Promise<T> {
  const limit = linkedSignal(signal, deadline - Date.now(), () => new ProviderUnavailable());
  try {
    return await abortable(work(), limit.signal);
  } finally {
    limit.release();
  }
}

function isFresh(credentials: OAuthCredentials): boolean {
  return credentials.expiresAt.getTime() - Date.now() > EXPIRY_MARGIN_MS;
}
