import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import passport, { Strategy, StrategyCreated } from 'passport';
import { ForeignOrigin } from '../access/access.errors';
import type { SessionUser } from '../access/authenticated-user';
import { StrategyNames } from '../access/guards/strategy-names';
import { isUnsafeMethod } from '../access/policies';
import { bearerTokenOf, cookieOf } from '../common/http/request-credentials';
import { AppConfig } from '../config/app-config';
import { SessionCache } from './session-cache';
import { ACCESS_COOKIE } from './session-cookies';
import { SessionTokens } from './session-tokens';

/**
 * Signs callers in by access token: of the `Authorization` header, else of the session cookie, and never by the cookie
 * when there is a bearer token beside it. A token is good when it is ours and its session and user are alive; the user's
 * role comes from the database.
 */
@Injectable()
export class JwtStrategy extends Strategy {
  private readonly origin: string;

  constructor(
    names: StrategyNames,
    config: AppConfig,
    private readonly tokens: SessionTokens,
    private readonly sessions: SessionCache,
  ) {
    super();
    this.origin = new URL(config.http.appUrl).origin;
    passport.use(names.jwt, this);
  }

  override authenticate(this: StrategyCreated<this>, request: Request): void {
    this.callerOf(request)
      .then((user) => (user ? this.success(user) : this.fail()))
      .catch((error: unknown) => this.error(error));
  }

  /** @throws ForeignOrigin when another site makes a browser send its cookie with a request that changes something */
  async callerOf(request: Request): Promise<SessionUser | null> {
    const bearer = bearerTokenOf(request);
    if (bearer !== undefined) return this.validate(bearer);
    const cookie = cookieOf(request, ACCESS_COOKIE);
    if (cookie === undefined) return null;
    if (isUnsafeMethod(request.method) && request.get('origin') !== this.origin) throw new ForeignOrigin();
    return this.validate(cookie);
  }

  /** @returns null when the token is invalid or expired, or its session or user is no longer alive */
  async validate(accessToken: string): Promise<SessionUser | null> {
    const claims = this.tokens.readAccessToken(accessToken);
    if (!claims) return null;
    const session = await this.sessions.find(claims.sessionId);
    if (!session || session.userId !== claims.userId) return null;
    const { sessionId, userId, email, role } = session;
    return { id: userId, email, role, sessionId };
  }
}
