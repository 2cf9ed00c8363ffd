import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { OAuthStateCookie, OAuthStates } from '../../identity/auth/oauth-state';
import { RedisService } from '../../platform/redis/redis.service';
import { AppConfig } from '../../platform/config/app-config';

/** A consent that has been requested and not yet answered. */
export interface PendingConsent {
  readonly userId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly codeVerifier: string;
  /** The account to connect again; null for a new one. */
  readonly accountId: string | null;
}

/** The client that returns with a state: the secret that its browser got, and the session of its request. */
export interface ReturningClient {
  readonly browserSecret: string | null;
  readonly sessionId: string | null;
}

/** Stores the `state` of requested consents. */
@Injectable()
export class ConsentStates extends OAuthStates<PendingConsent> {
  constructor(redis: RedisService) {
    super(redis, 'consent');
  }
}

/** Ties a consent to the browser that requested it. */
@Injectable()
export class ConsentCookie extends OAuthStateCookie {
  constructor(config: AppConfig) {
    super(config, 'consent', '/api/auth/mailbox/callback');
  }
}

/** Creates a code verifier (RFC 7636 §4.1) from 256 random bits, 43 characters long. */
export const newCodeVerifier = (): string => randomBytes(32).toString('base64url');

/** Computes the `S256` challenge of a code verifier (RFC 7636 §4.2). */
export const codeChallengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier, 'ascii').digest('base64url');
