import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { bearerTokenOf, cookieOf } from '../../platform/http/request-credentials';
import { ACCESS_COOKIE } from '../../identity/sessions/session-cookies';
import { SessionTokens } from '../../identity/sessions/session-tokens';

/** Reads the session that a request of a public route presents. The caller must check that it is alive. */
@Injectable()
export class PresentedSession {
  constructor(private readonly tokens: SessionTokens) {}

  /** Returns the id of the session that the access token in the header or the cookie names; null without one. */
  idOf(request: Request): string | null {
    const token = bearerTokenOf(request) ?? cookieOf(request, ACCESS_COOKIE);
    return token ? (this.tokens.readAccessToken(token)?.sessionId ?? null) : null;
  }
}
