import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../common/audit/audit-trail.port';
import type { UserEntity } from '../../users/user.entity';
import { UsersService } from '../../users/users.service';
import { AccessTokens } from '../sessions/access-tokens';
import type { Device } from '../sessions/device';
import { IssuedSession, SessionsService } from '../sessions/sessions.service';

/** A session just opened or extended, with its tokens. */
export interface SignedIn {
  readonly user: UserEntity;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** What somebody showed to be let in. */
export type SignInMethod = 'registration' | 'password' | 'password-and-code' | 'openid-connect';

/** Opens sessions for people who have shown who they are, in whatever way, and records it. */
@Injectable()
export class SignIns {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokens,
    private readonly audit: AuditTrail,
  ) {}

  /** @param user active, and known to be the one who asks */
  async open(user: UserEntity, device: Device, method: SignInMethod): Promise<SignedIn> {
    const session = await this.sessions.open(user.id, device);
    await this.users.recordLogin(user.id);
    await this.audit.record({
      action: 'session.opened',
      userId: user.id,
      actorId: user.id,
      target: { type: 'session', id: session.sessionId },
      details: { method },
    });
    return this.withAccessToken(user, session);
  }

  /**
   * Records that somebody was not let in.
   * @param userId null when the address belongs to nobody
   * @param code why: a problem's code
   */
  async refuse(userId: string | null, method: SignInMethod, code: string): Promise<void> {
    await this.audit.recordRefusal({ action: 'session.refused', userId, details: { method, code } });
  }

  /** The tokens of a session that was extended. */
  withAccessToken(user: UserEntity, { sessionId, refreshToken }: IssuedSession): SignedIn {
    const accessToken = this.accessTokens.issue({ sub: user.id, sid: sessionId, role: user.role });
    return { user, accessToken, refreshToken };
  }
}
