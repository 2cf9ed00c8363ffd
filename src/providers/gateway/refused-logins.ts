import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../platform/redis/redis.service';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { LoginRefused, ProviderUnavailable } from '../port/mail-provider.errors';
import { ProviderFailure } from './provider-call';
import { BEGIN_LOGIN, LOGIN_REFUSED, LOGIN_SETTLED } from './login-scripts';
import { GatewayTimings } from './retry-policy';

/** How long a refusal is remembered when nobody asks for the mailbox. */
const KEPT_MS = 24 * 3_600_000;

/** Leave to log in with a stored password. */
export interface LoginTurn {
  readonly accountId: string;
  /** Of the password. */
  readonly version: string;
  /** Set for the one further try after a refusal. */
  readonly trial: string | null;
}

/**
 * Logins that were refused. Servers lock out who tries a wrong password again and again, and refuse right ones when something
 * is wrong with them. So after a refusal nobody logs in for a while, then one call may try once more, over all processes.
 */
@Injectable()
export class RefusedLogins {
  private readonly logger = new Logger(RefusedLogins.name);

  constructor(
    private readonly redis: RedisService,
    private readonly timings: GatewayTimings,
  ) {}

  /**
   * Leave to log in; `LoginRefused` while nobody may, or another call is trying; null when the password has been refused
   * for good.
   * @param tries false to ask only: nobody else is kept from trying
   * @throws ProviderFailure without Redis
   */
  async begin(accountId: string, version: string, tries: boolean): Promise<LoginTurn | LoginRefused | null> {
    const token = tries ? randomUUID() : '';
    let answer: [state: string, waitMs: number, reason: string];
    try {
      answer = (await this.redis.client.eval(
        BEGIN_LOGIN,
        1,
        this.key(accountId),
        version,
        token,
        this.timings.loginTrialMs,
      )) as typeof answer;
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      throw new ProviderFailure({
        kind: 'unavailable',
        reason: 'redis',
        error: new ProviderUnavailable(error),
      });
    }
    const [state, waitMs, reason] = answer;
    if (state === 'over') return null;
    if (state === 'later') return new LoginRefused(new Date(Date.now() + waitMs), reason);
    return { accountId, version, trial: state === 'trial' ? token : null };
  }

  /**
   * The login was refused.
   * @returns when to try once more; null when this was that try: the password is refused for good
   * @throws ProviderUnavailable without Redis
   */
  async refused({ accountId, version, trial }: LoginTurn, reason: string): Promise<Date | null> {
    try {
      const waitMs = (await this.redis.client.eval(
        LOGIN_REFUSED,
        1,
        this.key(accountId),
        version,
        trial ?? '',
        this.timings.refusedLoginMs,
        reason,
        KEPT_MS,
      )) as number;
      return waitMs < 0 ? null : new Date(Date.now() + waitMs);
    } catch (error) {
      throw isDependencyUnavailable(error) ? new ProviderUnavailable(error) : error;
    }
  }

  /** The further try is over. Once it was accepted the refusal is forgotten, otherwise the next call may try. */
  async settled({ accountId, version, trial }: LoginTurn, accepted: boolean): Promise<void> {
    if (trial === null) return;
    try {
      await this.redis.client.eval(
        LOGIN_SETTLED,
        1,
        this.key(accountId),
        version,
        trial,
        accepted ? 'accepted' : 'open',
      );
    } catch (error) {
      if (!isDependencyUnavailable(error)) throw error;
      // The try runs out by itself; the call it was made for has ended as it has.
      this.logger.warn(`Could not share the login of account ${accountId}: ${String(error)}`);
    }
  }

  private key(accountId: string): string {
    return this.redis.key('provider', `{${accountId}}`, 'refused-login');
  }
}
