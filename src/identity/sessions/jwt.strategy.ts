import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import passport, { Strategy, StrategyCreated } from 'passport';
import { ForeignOrigin } from '../../platform/access/access.errors';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { StrategyNames } from '../../platform/access/guards/strategy-names';
import type { KnownCallers } from '../../platform/access/known-callers.port';
import { isUnsafeMethod } from '../../platform/access/policies';
import { bearerTokenOf, cookieOf } from '../../platform/http/request-credentials';
import { AppConfig } from '../../platform/config/app-config';
import { SessionCache } from './session-cache';
import { ACCESS_COOKIE } from './session-cookies';
import { type NamedSession, SessionTokens } from './session-tokens';
import type { LiveSession } from './sessions.repository';

/**
 * Signs callers in by access token: of the `Authorization` header, else of the session cookie, and never by the cookie
 * when there is a bearer token beside it. A token is good when it is ours and its session and user are alive; the user's
 * role comes from the database.
 */
@Injectable()
export class JwtStrategy extends Strategy implements KnownCallers {
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

  /**
   * The caller whose session was read within the last two seconds.
   * @returns undefined when it has to be read, or there is none. @throws ForeignOrigin as `callerOf`
   */
  find(request: Request): SessionUser | undefined {
    const claims = this.claimsOf(request);
    const session = claims && this.sessions.findCached(claims.sessionId);
    return (session && userOf(session, claims)) ?? undefined;
  }

  /**
   * @returns null when the token is missing, invalid or expired, or its session or user is no longer alive
   * @throws ForeignOrigin when another site makes a browser send its cookie with a request that changes something
   */
  async callerOf(request: Request): Promise<SessionUser | null> {
    const claims = this.claimsOf(request);
    const session = claims && (await this.sessions.find(claims.sessionId));
    return session && userOf(session, claims);
  }

  private claimsOf(request: Request): NamedSession | null {
    const token = bearerTokenOf(request) ?? this.cookieTokenOf(request);
    return token === undefined ? null : this.tokens.readAccessToken(token);
  }

  private cookieTokenOf(request: Request): string | undefined {
    const cookie = cookieOf(request, ACCESS_COOKIE);
    if (cookie === undefined) return undefined;
    if (isUnsafeMethod(request.method) && request.get('origin') !== this.origin) throw new ForeignOrigin();
    return cookie;
  }
}

function userOf({ sessionId, userId, email, role }: LiveSession, claims: NamedSession): SessionUser | null {
  return userId === claims.userId ? { id: userId, email, role, sessionId } : null;
}
