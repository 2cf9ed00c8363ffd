import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { RedisService } from '../../platform/redis/redis.service';
import { isDependencyUnavailable } from '../../platform/logging/system-errors';
import { LoginRefused, ProviderUnavailable } from '../port/mail-provider.errors';
import { ProviderFailure } from './provider-call';
import { BEGIN_LOGIN, LOGIN_REFUSED, LOGIN_SETTLED } from './login-scripts';
import { GatewayTimings } from './retry-policy';

/** Time for which a refusal is remembered while no call uses the mailbox, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;

/** Permission to log in with a stored password, or with the tokens of a grant. */
export interface LoginTurn {
  readonly accountId: string;
  /** Version of the password, see `PasswordCredentials`, or id of the grant. */
  readonly version: string;
  /** Token of the one further try after a refusal; null for other logins. */
  readonly trial: string | null;
}

/**
 * Logins that were refused. Servers lock out clients that try a wrong password again and again, and refuse right
 * passwords and good tokens when they have a fault. So after a refusal no process logs in for a while; then one call of all processes
 * may try once more.
 */
@Injectable()
export class RefusedLogins {
  private readonly logger = new Logger(RefusedLogins.name);

  constructor(
    private readonly redis: RedisService,
    private readonly timings: GatewayTimings,
  ) {}

  /**
   * Asks for permission to log in.
   * @returns the permission; `LoginRefused` while no call may log in or another call is trying; null when the password
   *   or grant has been refused for good
   * @param tries false to ask only, which keeps no other call from trying
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
   * Records that the login was refused.
   * @returns the instant from which to try once more; null when this was that try, and the login is refused for good
   * @throws ProviderUnavailable without Redis
   */
  async recordRefusal({ accountId, version, trial }: LoginTurn, reason: string): Promise<Date | null> {
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

  /**
   * Ends the further try without a refusal. When the login was accepted, the refusal is deleted; otherwise the next
   * call may try.
   */
  async endTrial({ accountId, version, trial }: LoginTurn, accepted: boolean): Promise<void> {
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
      // The try expires in Redis, and the outcome of the call does not depend on it.
      this.logger.warn(`Could not share the outcome of a login of account ${accountId}: ${String(error)}`);
    }
  }

  private key(accountId: string): string {
    return this.redis.key('provider', `{${accountId}}`, 'refused-login');
  }
}
