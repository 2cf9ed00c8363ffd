import { Injectable } from '@nestjs/common';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { RedisService } from '../../../common/redis/redis.service';

/** How long a person may take on the provider's consent page. */
export const CONSENT_SECONDS = 10 * 60;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

/** Whose consent it is that was asked for. */
export interface PendingConsent {
  readonly userId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly codeVerifier: string;
}

/** What goes out: the state to the provider, the secret to the browser that asked and to nobody else. */
export interface BegunConsent {
  readonly state: string;
  readonly browserSecret: string;
}

interface StoredConsent extends PendingConsent {
  /** SHA-256, base64url. */
  readonly browserSecretHash: string;
}

/** Who returns with a state: what the browser was given with it, and the session the request presents. */
export interface ReturningClient {
  readonly browserSecret: string | null;
  readonly sessionId: string | null;
}

/** A consent that was asked for, and whether the one who returns is the one who asked. */
export interface TakenConsent {
  readonly consent: PendingConsent;
  readonly sameClient: boolean;
}

/** Whether a text could be a state. */
export const isState = (state: unknown): state is string =>
  typeof state === 'string' && WELL_FORMED.test(state);

/** The `state` of consents under way: random, good for one use within ten minutes, in any process. */
@Injectable()
export class ConsentStates {
  constructor(private readonly redis: RedisService) {}

  async remember(consent: PendingConsent): Promise<BegunConsent> {
    const state = randomBytes(32).toString('base64url');
    const browserSecret = randomBytes(32).toString('base64url');
    const stored: StoredConsent = {
      ...consent,
      browserSecretHash: sha256(browserSecret).toString('base64url'),
    };
    await this.redis.client.set(this.key(state), JSON.stringify(stored), 'EX', CONSENT_SECONDS);
    return { state, browserSecret };
  }

  /** What was remembered, once; null for everything else. */
  async take(state: unknown, { browserSecret, sessionId }: ReturningClient): Promise<TakenConsent | null> {
    if (!isState(state)) return null;
    const text = await this.redis.client.getdel(this.key(state));
    if (text === null) return null;
    const { browserSecretHash, ...consent } = JSON.parse(text) as StoredConsent;
    const expected = Buffer.from(browserSecretHash, 'base64url');
    const sameBrowser = browserSecret !== null && timingSafeEqual(sha256(browserSecret), expected);
    return { consent, sameClient: sameBrowser || sessionId === consent.sessionId };
  }

  private key(state: string): string {
    return this.redis.key('consent', state);
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
