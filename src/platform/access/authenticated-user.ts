export type UserRole = 'admin' | 'user';

/** The user a request is made for, signed in or by API key. */
interface KnownUser {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
}

/** A signed-in person. */
export interface SessionUser extends KnownUser {
  readonly sessionId: string;
  readonly apiKey?: undefined;
}

/** A program that acts for a user with one of their API keys. */
export interface ApiKeyUser extends KnownUser {
  readonly apiKey: UsedApiKey;
  readonly sessionId?: undefined;
}

/** The API key of a request, and what it may do. */
export interface UsedApiKey {
  readonly id: string;
  /** `read`: routes that change nothing. */
  readonly scope: 'read' | 'write';
  /** The mailbox accounts it is bound to, lower-case; null for all accounts of its user. An empty list means none. */
  readonly accountIds: readonly string[] | null;
  readonly expiresAt: Date | null;
}

/**
 * The caller, as the guards established it. Code that needs a session asks for a `SessionUser` (`@CurrentSession()`), so
 * that an API key cannot get there.
 */
export type AuthenticatedUser = SessionUser | ApiKeyUser;

/** The accounts that the caller is limited to; null for all accounts of the user. */
export const boundAccountsOf = (user: AuthenticatedUser): readonly string[] | null =>
  user.apiKey?.accountIds ?? null;

declare module 'express' {
  interface Request {
    user?: AuthenticatedUser;
  }
}
