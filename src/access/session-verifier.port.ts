import type { SessionUser } from './authenticated-user';

/** Decides whether an access token names a live session of a live user; implemented by the auth feature. */
export abstract class SessionVerifier {
  /** null when the token is invalid or expired, or its session or user is no longer alive. */
  abstract verify(accessToken: string): Promise<SessionUser | null>;
}
