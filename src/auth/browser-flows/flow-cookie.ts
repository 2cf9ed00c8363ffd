import type { CookieOptions, Request, Response } from 'express';
import type { AppConfig } from '../../config/app-config';
import { cookieOf } from '../sessions/request-cookie';
import { BegunFlow, FLOW_SECONDS, isState } from './flow-states';

/**
 * Ties a flow to the browser that began it. The session cookies are SameSite=Strict and so absent when another site
 * sends the browser back; this one is Lax and comes along.
 */
export class FlowCookie {
  private readonly options: CookieOptions;

  /**
   * @param name its first part; `mailroom_<name>_<beginning of the state>`
   * @param path where the browser comes back to
   */
  constructor(
    config: AppConfig,
    private readonly name: string,
    path: string,
  ) {
    const secure = new URL(config.http.appUrl).protocol === 'https:';
    this.options = { httpOnly: true, sameSite: 'lax', secure, path };
  }

  set(response: Response, { state, browserSecret }: BegunFlow): void {
    response.cookie(this.nameOf(state), browserSecret, { ...this.options, maxAge: FLOW_SECONDS * 1000 });
  }

  /** The secret the browser was given with this state, which is taken from it. */
  take(request: Request, response: Response, state: unknown): string | null {
    const secret = isState(state) ? cookieOf(request, this.nameOf(state)) : undefined;
    if (secret === undefined) return null;
    response.clearCookie(this.nameOf(state as string), this.options);
    return secret;
  }

  /** Part of the state, so that flows begun in two tabs do not overwrite each other's. */
  private nameOf(state: string): string {
    return `mailroom_${this.name}_${state.slice(0, 8)}`;
  }
}
