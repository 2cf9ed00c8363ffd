import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerTokenOf, cookieOf } from '../../platform/http/request-credentials';
import { ACCESS_COOKIE } from '../../identity/sessions/session-cookies';
import { SessionTokens } from '../../identity/sessions/session-tokens';

/** The session that the request of a public route comes with; the caller finds out whether it is alive. */
@Injectable()
export class PresentedSession {
  constructor(private readonly tokens: SessionTokens) {}

  /** The id of the session that an access token of ours names, in the header or in the cookie; null without one. */
  idOf(request: Request): string | null {
    const token = bearerTokenOf(request) ?? cookieOf(request, ACCESS_COOKIE);
    return token ? (this.tokens.readAccessToken(token)?.sessionId ?? null) : null;
  }
}
