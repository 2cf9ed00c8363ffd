import type { AuthenticatedUser } from './authenticated-user';

/** Tells open event streams when their caller's session or API key ends; implemented by `auth`. */
export abstract class AccessRevocation {
  /**
   * Calls `listener` when the user's session ends, when their key is revoked or expires, and when the user's role
   * changes: a client that is still allowed in connects again. Every process hears of it at once, but not while Redis
   * is unavailable.
   * @returns call it to stop listening
   */
  abstract onRevoked(user: AuthenticatedUser, listener: () => void): () => void;

  /** Whether the user's session or key has ended; at most seconds behind. */
  abstract isRevoked(user: AuthenticatedUser): Promise<boolean>;
}
