import { Injectable } from '@nestjs/common';
import type { SessionUser } from '../access/authenticated-user';
import { SessionVerifier } from '../access/session-verifier.port';
import { SessionTokens } from './session-tokens';
import { SessionCache } from './session-cache';

/** A token is good when it is ours and its session and user are alive; what the user may do, the database says. */
@Injectable()
export class JwtStrategy extends SessionVerifier {
  constructor(
    private readonly accessTokens: SessionTokens,
    private readonly liveSessions: SessionCache,
  ) {
    super();
  }

  async verify(accessToken: string): Promise<SessionUser | null> {
    const claims = this.accessTokens.read(accessToken);
    if (!claims) return null;
    const session = await this.liveSessions.find(claims.sessionId);
    if (!session || session.userId !== claims.userId) return null;
    const { sessionId, userId, email, role } = session;
    return { id: userId, email, role, sessionId };
  }
}
