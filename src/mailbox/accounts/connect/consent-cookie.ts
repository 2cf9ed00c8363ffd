import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { AppConfig } from '../../../config/app-config';
import { cookieOf } from '../../../auth/sessions/request-cookie';
import { BegunConsent, CONSENT_SECONDS, isState } from './consent-states';

const PATH = '/api/auth/mailbox/callback';

/** Part of the state, so that consents begun in two tabs do not overwrite each other's. */
const nameOf = (state: string): string => `mailroom_consent_${state.slice(0, 8)}`;

/**
 * Ties a consent to the browser that asked for it. The session cookies are SameSite=Strict and so absent when a
 * provider's page sends the browser back; this one is Lax and comes along.
 */
@Injectable()
export class ConsentCookie {
  private readonly options: CookieOptions;

  constructor(config: AppConfig) {
    const secure = new URL(config.http.appUrl).protocol === 'https:';
    this.options = { httpOnly: true, sameSite: 'lax', secure, path: PATH };
  }

  set(response: Response, { state, browserSecret }: BegunConsent): void {
    response.cookie(nameOf(state), browserSecret, { ...this.options, maxAge: CONSENT_SECONDS * 1000 });
  }

  /** The secret the browser was given with this state, which is taken from it. */
  take(request: Request, response: Response, state: unknown): string | null {
    const secret = isState(state) ? cookieOf(request, nameOf(state)) : undefined;
    if (secret === undefined) return null;
    response.clearCookie(nameOf(state as string), this.options);
    return secret;
  }
}
