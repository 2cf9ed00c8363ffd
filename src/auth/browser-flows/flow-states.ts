import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RedisService } from '../../common/redis/redis.service';

/** How long a person may take on the pages of whoever they were sent to. */
export const FLOW_SECONDS = 10 * 60;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

/** What goes out: the state to the other side, the secret to the browser that asked and to nobody else. */
export interface BegunFlow {
  readonly state: string;
  readonly browserSecret: string;
}

/** A flow that was begun, and whether the browser that returns is the one that began it. */
export interface TakenFlow<T> {
  readonly flow: T;
  readonly sameBrowser: boolean;
}

interface StoredFlow<T> {
  readonly flow: T;
  /** SHA-256, base64url. */
  readonly browserSecretHash: string;
}

/** Whether a text could be a state. */
export const isState = (state: unknown): state is string =>
  typeof state === 'string' && WELL_FORMED.test(state);

/**
 * What is remembered of browsers sent elsewhere to come back with a `state` (RFC 6749, section 10.12): random, good for
 * one use within ten minutes, in any process.
 */
export class FlowStates<T extends object> {
  /** @param name of the keys in Redis: `consent` */
  constructor(
    private readonly redis: RedisService,
    private readonly name: string,
  ) {}

  async remember(flow: T): Promise<BegunFlow> {
    const state = randomBytes(32).toString('base64url');
    const browserSecret = randomBytes(32).toString('base64url');
    const browserSecretHash = sha256(browserSecret).toString('base64url');
    const stored: StoredFlow<T> = { flow, browserSecretHash };
    await this.redis.client.set(this.key(state), JSON.stringify(stored), 'EX', FLOW_SECONDS);
    return { state, browserSecret };
  }

  /**
   * What was remembered, once; null for everything else.
   * @param browserSecret what the browser that returns was given with the state
   */
  async take(state: unknown, browserSecret: string | null): Promise<TakenFlow<T> | null> {
    if (!isState(state)) return null;
    const text = await this.redis.client.getdel(this.key(state));
    if (text === null) return null;
    const { flow, browserSecretHash } = JSON.parse(text) as StoredFlow<T>;
    const expected = Buffer.from(browserSecretHash, 'base64url');
    return { flow, sameBrowser: browserSecret !== null && timingSafeEqual(sha256(browserSecret), expected) };
  }

  private key(state: string): string {
    return this.redis.key(this.name, state);
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
