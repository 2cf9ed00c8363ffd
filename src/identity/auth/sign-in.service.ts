import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { Transactions } from '../../platform/database/transactions';
import { FailedAttempts } from '../../platform/rate-limit/failed-attempts';
import { RedisService } from '../../platform/redis/redis.service';
import type { Device } from '../sessions/device';
import { SessionTokens } from '../sessions/session-tokens';
import { IssuedSession, SessionsService } from '../sessions/sessions.service';
import type { UserEntity } from '../users/user.entity';
import { UsersService } from '../users/users.service';
import { CredentialsInvalid } from './auth.errors';

/** Failed sign-ins per account. Counted by address, so addresses without an account behave alike. */
@Injectable()
export class LoginAttempts extends FailedAttempts {
  constructor(redis: RedisService) {
    super(redis, 'login-failures', 'Too many failed sign-ins for this account; wait a few minutes.');
  }
}

/** A session just opened or extended, with its tokens. */
export interface SignedIn {
  readonly user: UserEntity;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The way in which a user signed in. */
export type SignInMethod =
  | 'registration'
  | 'invitation'
  | 'password'
  | 'password-and-code'
  | 'openid-connect'
  | 'passkey';

/** Methods that prove nothing about the user's password. */
const WITHOUT_PASSWORD: readonly SignInMethod[] = ['openid-connect', 'passkey'];

/** Opens sessions for users who have proved who they are, by whatever method, and records it. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly tokens: SessionTokens,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The credentials must still be valid at commit: a change of the password, or of one-time codes, ends the user's
   * sessions, and one that is being opened at that moment must not survive it.
   * @param user active, and proved to be the caller
   * @throws CredentialsInvalid when the password or the second factor was changed since the user was read
   */
  async open(user: UserEntity, device: Device, method: SignInMethod): Promise<SignedIn> {
    const session = await this.transactions.run(async (transaction) => {
      // Locks the user before the session that refers to them: deactivation locks in the same order.
      await this.users.recordLogin(user.id, transaction);
      if (!WITHOUT_PASSWORD.includes(method) && !(await this.users.hasCredentials(user, transaction))) {
        throw new CredentialsInvalid();
      }
      const opened = await this.sessions.open(user.id, device, transaction);
      const target = { type: 'session', id: opened.sessionId };
      const act = { action: 'session.opened', userId: user.id, actorId: user.id };
      await this.audit.record({ ...act, target, details: { method } }, transaction);
      return opened;
    });
    return this.withAccessToken(user, session);
  }

  /**
   * Records a refused sign-in.
   * @param userId null when no user has the address
   * @param code the problem's code
   */
  async refuse(userId: string | null, method: SignInMethod, code: string): Promise<void> {
    await this.audit.recordRefusal({ action: 'session.refused', userId, details: { method, code } });
  }

  /** A session with a new access token. */
  withAccessToken(user: UserEntity, { sessionId, refreshToken }: IssuedSession): SignedIn {
    const accessToken = this.tokens.issueAccessToken({ sub: user.id, sid: sessionId, role: user.role });
    return { user, accessToken, refreshToken };
  }
}
