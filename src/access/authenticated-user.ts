export type UserRole = 'admin' | 'user';

/** The user a request is made for, signed in or by API key. */
interface KnownUser {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
}

/** A person who is signed in. */
export interface SessionUser extends KnownUser {
  readonly sessionId: string;
  readonly apiKey?: undefined;
}

/** A program that acts for a user, with a key of theirs. */
export interface ApiKeyUser extends KnownUser {
  readonly apiKey: UsedApiKey;
  readonly sessionId?: undefined;
}

/** The key a request came with, and what it is good for. */
export interface UsedApiKey {
  readonly id: string;
  /** `read`: routes that change nothing. */
  readonly scope: 'read' | 'write';
  /** The mailbox accounts it is bound to, lower-case; null for whatever its user may reach. An empty list is none. */
  readonly accountIds: readonly string[] | null;
  readonly expiresAt: Date | null;
}

/**
 * Who makes the request, as the guards established it. Code that needs a session asks for a `SessionUser`
 * (`@CurrentSession()`), so that a key cannot get there.
 */
export type AuthenticatedUser = SessionUser | ApiKeyUser;

/** The only accounts the caller may see things of; null for all of theirs. */
export const boundAccountsOf = (user: AuthenticatedUser): readonly string[] | null =>
  user.apiKey?.accountIds ?? null;

declare module 'express' {
  interface Request {
    user?: AuthenticatedUser;
  }
}
