import type { ApiKeyUser } from './authenticated-user';

/** What every API key begins with, for the guard, for people and for scanners of leaked secrets. */
export const API_KEY_PREFIX = 'mrk_';

/** Decides whether an API key is alive; implemented by the auth feature. */
export abstract class ApiKeyVerifier {
  /** null when the key is malformed, unknown, revoked or expired, or its user is no longer active. */
  abstract verify(key: string): Promise<ApiKeyUser | null>;
  /** Notes that a living key was used for what it is not good for. Never throws and never makes anybody wait. */
  abstract noteRefusal(user: ApiKeyUser, code: string): void;
}
