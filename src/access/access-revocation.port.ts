import type { AuthenticatedUser } from './authenticated-user';

/**
 * For answers that last: tells when the one they are given to may no longer have them, be it by a session or by an API
 * key; implemented by the auth feature.
 */
export abstract class AccessRevocation {
  /**
   * Calls `listener` when the user's session ends, their key is revoked or expires, or when either is to be looked at
   * again (the user's role changed): whoever may still come in can connect again. Heard at once in every process, but not
   * while Redis is away.
   * @returns call it to listen no longer
   */
  abstract onEnded(user: AuthenticatedUser, listener: () => void): () => void;
  /** Whether the user's session or key is over; at most seconds behind. */
  abstract hasEnded(user: AuthenticatedUser): Promise<boolean>;
}
