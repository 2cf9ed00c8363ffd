import { isUUID } from 'class-validator';
import type { CookieOptions, Request, Response } from 'express';
import { cookieOf } from './request-cookie';

const MARK_COOKIE = 'mailroom_session';
/** Read by nothing but the return from a mail provider's consent page. */
const MARK_PATH = '/api/auth/mailbox/callback';

const options = (secure: boolean): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  secure,
  path: MARK_PATH,
});

/**
 * Names the browser's session, without being able to open anything. The session cookies are SameSite=Strict
 * and so absent when a provider's page sends the browser back here; this one is Lax and comes along, and tells
 * a consent that was begun in somebody else's session.
 */
export function setSessionMark(
  response: Response,
  sessionId: string,
  seconds: number,
  secure: boolean,
): void {
  response.cookie(MARK_COOKIE, sessionId, { ...options(secure), maxAge: seconds * 1000 });
}

export function clearSessionMark(response: Response, secure: boolean): void {
  response.clearCookie(MARK_COOKIE, options(secure));
}

/** The browser's session id, if it has one. */
export function sessionMarkOf(request: Request): string | undefined {
  const mark = cookieOf(request, MARK_COOKIE);
  return isUUID(mark) ? mark : undefined;
}
