import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { SessionTokens } from '../sessions/session-tokens';
import { cookieOf } from '../sessions/session-requests';
import { ACCESS_COOKIE } from '../access/session-cookies';

/** The session a public route's request comes with; whether it is alive is for the caller to find out. */
@Injectable()
export class PresentedSession {
  constructor(private readonly tokens: SessionTokens) {}

  /** The id of the session an access token of ours names, in the header or in the cookie; null without one. */
  idOf(request: Request): string | null {
    const [scheme, bearer] = (request.get('authorization') ?? '').split(' ');
    const token = scheme?.toLowerCase() === 'bearer' ? bearer : cookieOf(request, ACCESS_COOKIE);
    return token ? (this.tokens.read(token)?.sessionId ?? null) : null;
  }
}
