import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { RedisService } from '../../../common/redis/redis.service';

/** How long a person may take on the provider's consent page. */
const LIFETIME_SECONDS = 10 * 60;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

/** Whose consent it is that was asked for. */
export interface PendingConsent {
  readonly userId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly codeVerifier: string;
}

/** The `state` of consents under way: random, good for one use within ten minutes, in any process. */
@Injectable()
export class ConsentStates {
  constructor(private readonly redis: RedisService) {}

  /** Returns the state to send along. */
  async remember(consent: PendingConsent): Promise<string> {
    const state = randomBytes(32).toString('base64url');
    await this.redis.client.set(this.key(state), JSON.stringify(consent), 'EX', LIFETIME_SECONDS);
    return state;
  }

  /** What was remembered, once; null for everything else. */
  async take(state: unknown): Promise<PendingConsent | null> {
    if (typeof state !== 'string' || !WELL_FORMED.test(state)) return null;
    const text = await this.redis.client.getdel(this.key(state));
    return text === null ? null : (JSON.parse(text) as PendingConsent);
  }

  private key(state: string): string {
    return this.redis.key('consent', state);
  }
}
