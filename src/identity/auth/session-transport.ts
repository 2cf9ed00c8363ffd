import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ForeignOrigin } from '../../platform/access/access.errors';
import { clearSessionCookies, REFRESH_COOKIE, setSessionCookies } from '../sessions/session-cookies';
import { AppConfig } from '../../platform/config/app-config';
import { toUserResponse } from '../users/dto/user.response';
import type { SignedIn } from './sign-in.service';
import type { SessionResponse } from './dto/auth.response';
import { ACCESS_TOKEN_SECONDS } from '../sessions/session-tokens';
import { cookieOf } from '../../platform/http/request-credentials';
import { SESSION_DAYS } from '../sessions/sessions.service';

const SESSION_SECONDS = SESSION_DAYS * 24 * 3600;

/** A refresh token as a request brings it. */
export interface PresentedToken {
  readonly token: string | undefined;
  /** A cookie, which all tabs of a browser have. */
  readonly shared: boolean;
}

/** Sends a session in the response body for programs and in cookies for browsers, and reads it from requests. */
@Injectable()
export class SessionTransport {
  private readonly origin: string;
  private readonly secure: boolean;

  constructor(config: AppConfig) {
    const application = new URL(config.http.appUrl);
    this.origin = application.origin;
    this.secure = application.protocol === 'https:';
  }

  send({ user, accessToken, refreshToken }: SignedIn, response: Response): SessionResponse {
    setSessionCookies(
      response,
      {
        accessToken,
        accessSeconds: ACCESS_TOKEN_SECONDS,
        refreshToken,
        refreshSeconds: SESSION_SECONDS,
      },
      this.secure,
    );
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_SECONDS,
      refresh_token: refreshToken,
      user: toUserResponse(user),
    };
  }

  clear(response: Response): void {
    clearSessionCookies(response, this.secure);
  }

  /**
   * The refresh token of the body, else of the cookie, which only pages of the application may use.
   * @throws ForeignOrigin
   */
  refreshToken(request: Request, fromBody: string | undefined): PresentedToken {
    if (fromBody !== undefined) return { token: fromBody, shared: false };
    const fromCookie = cookieOf(request, REFRESH_COOKIE);
    if (fromCookie !== undefined && request.get('origin') !== this.origin) throw new ForeignOrigin();
    return { token: fromCookie, shared: true };
  }
}
