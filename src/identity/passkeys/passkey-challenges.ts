import { Injectable } from '@nestjs/common';
import { RedisService } from '../../platform/redis/redis.service';

/** Time in which the person confirms at the device, in seconds. */
export const CHALLENGE_SECONDS = 300;
const WELL_FORMED = /^[A-Za-z0-9_-]{16,128}$/;

/** The challenge that a browser has answered, from the JSON in base64url that its device has signed; empty when there is none. */
export function challengeIn(clientDataJson: string): string {
  let data: unknown;
  try {
    data = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
  } catch {
    return '';
  }
  const { challenge } = (data ?? {}) as { challenge?: unknown };
  return typeof challenge === 'string' ? challenge : '';
}

/** The purpose of a challenge. */
export interface ChallengePurpose {
  /** The signed-in user who adds a passkey, in the session they do it in; null for a sign-in. */
  readonly adding: { readonly userId: string; readonly sessionId: string } | null;
}

/** Challenges that browsers have not answered yet: each is good for one answer within five minutes, in any process. */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly redis: RedisService) {}

  /** @param challenge random, base64url */
  async save(challenge: string, purpose: ChallengePurpose): Promise<void> {
    await this.redis.client.set(this.key(challenge), JSON.stringify(purpose), 'EX', CHALLENGE_SECONDS);
  }

  /** The purpose of a challenge, once; null when it is unknown, used or expired. */
  async take(challenge: string): Promise<ChallengePurpose | null> {
    if (!WELL_FORMED.test(challenge)) return null;
    const text = await this.redis.client.getdel(this.key(challenge));
    return text === null ? null : (JSON.parse(text) as ChallengePurpose);
  }

  private key(challenge: string): string {
    return this.redis.key('passkey-challenge', challenge);
  }
}
