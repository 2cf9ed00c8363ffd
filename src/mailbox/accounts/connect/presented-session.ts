import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AccessTokens } from '../../../auth/sessions/access-tokens';
import { sessionMarkOf } from '../../../auth/sessions/session-mark';
import { SessionsService } from '../../../auth/sessions/sessions.service';

/** Who a browser that returns from a consent page says it is. */
@Injectable()
export class PresentedSession {
  constructor(
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokens,
  ) {}

  /** The user of the live session the request comes with; null when it comes with none. */
  async userOf(request: Request): Promise<string | null> {
    const sessionId = this.bearerSession(request) ?? sessionMarkOf(request);
    const session = sessionId ? await this.sessions.findLive(sessionId) : null;
    return session?.userId ?? null;
  }

  private bearerSession(request: Request): string | undefined {
    const [scheme, token] = (request.get('authorization') ?? '').split(' ');
    if (scheme?.toLowerCase() !== 'bearer' || !token) return undefined;
    return this.accessTokens.read(token)?.sessionId;
  }
}
