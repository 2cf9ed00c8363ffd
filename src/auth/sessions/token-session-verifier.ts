import { Injectable } from '@nestjs/common';
import type { SessionUser } from '../../common/auth/authenticated-user';
import { SessionVerifier } from '../../common/auth/session-verifier.port';
import { AccessTokens } from './access-tokens';
import { LiveSessions } from './live-sessions';

/** A token is good when it is ours and its session and user are alive; what the user may do, the database says. */
@Injectable()
export class TokenSessionVerifier extends SessionVerifier {
  constructor(
    private readonly accessTokens: AccessTokens,
    private readonly liveSessions: LiveSessions,
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
