import type { CookieOptions, Response } from 'express';

/** Browsers send the session in cookies, so that downloads, images and event streams work in a page. */
export const ACCESS_COOKIE = 'mailroom_access';
export const REFRESH_COOKIE = 'mailroom_refresh';

const REFRESH_PATH = '/api/auth';

export interface SessionCookieValues {
  readonly accessToken: string;
  readonly accessSeconds: number;
  readonly refreshToken: string;
  readonly refreshSeconds: number;
}

const base = (secure: boolean): CookieOptions => ({ httpOnly: true, sameSite: 'strict', secure });

/** @param secure true when the application is served over https */
export function setSessionCookies(response: Response, values: SessionCookieValues, secure: boolean): void {
  response.cookie(ACCESS_COOKIE, values.accessToken, {
    ...base(secure),
    path: '/',
    maxAge: values.accessSeconds * 1000,
  });
  response.cookie(REFRESH_COOKIE, values.refreshToken, {
    ...base(secure),
    path: REFRESH_PATH,
    maxAge: values.refreshSeconds * 1000,
  });
}

export function clearSessionCookies(response: Response, secure: boolean): void {
  response.clearCookie(ACCESS_COOKIE, { ...base(secure), path: '/' });
  response.clearCookie(REFRESH_COOKIE, { ...base(secure), path: REFRESH_PATH });
}
