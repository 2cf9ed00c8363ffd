import type { CookieOptions, Request, Response } from 'express';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RedisService } from '../../platform/redis/redis.service';
import type { AppConfig } from '../../platform/config/app-config';
import { cookieOf } from '../../platform/http/request-credentials';

/** Time that a person may take on the pages of the provider, in seconds. */
export const OAUTH_STATE_SECONDS = 10 * 60;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

/** The state goes to the provider, the secret only to the browser that asked. */
export interface IssuedOAuthState {
  readonly state: string;
  readonly browserSecret: string;
}

/** A flow, and whether the browser that returns is the one that began it. */
export interface RedeemedOAuthState<T> {
  readonly flow: T;
  readonly sameBrowser: boolean;
}

interface StoredFlow<T> {
  readonly flow: T;
  /** SHA-256, base64url. */
  readonly browserSecretHash: string;
}

/** Whether a text could be a state. */
export const isOAuthState = (state: unknown): state is string =>
  typeof state === 'string' && WELL_FORMED.test(state);

/**
 * OAuth flows in progress, by their `state` (RFC 6749, section 10.12): random, good for one use within ten minutes, in any
 * process.
 */
export class OAuthStates<T extends object> {
  /** @param name of the keys in Redis: `consent` */
  constructor(
    private readonly redis: RedisService,
    private readonly name: string,
  ) {}

  async issue(flow: T): Promise<IssuedOAuthState> {
    const state = randomBytes(32).toString('base64url');
    const browserSecret = randomBytes(32).toString('base64url');
    const browserSecretHash = sha256(browserSecret).toString('base64url');
    const stored: StoredFlow<T> = { flow, browserSecretHash };
    await this.redis.client.set(this.key(state), JSON.stringify(stored), 'EX', OAUTH_STATE_SECONDS);
    return { state, browserSecret };
  }

  /**
   * The flow of a state, once; null when the state is unknown, used or expired.
   * @param browserSecret from the cookie of the browser that returns
   */
  async redeem(state: unknown, browserSecret: string | null): Promise<RedeemedOAuthState<T> | null> {
    if (!isOAuthState(state)) return null;
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

/**
 * Ties a flow to the browser that began it. Session cookies are SameSite=Strict and therefore missing when another site
 * sends the browser back; this cookie is Lax.
 */
export class OAuthStateCookie {
  private readonly options: CookieOptions;

  /**
   * @param name its first part; `mailroom_<name>_<beginning of the state>`
   * @param path where the browser comes back to
   */
  constructor(
    config: AppConfig,
    private readonly name: string,
    path: string,
  ) {
    const secure = new URL(config.http.appUrl).protocol === 'https:';
    this.options = { httpOnly: true, sameSite: 'lax', secure, path };
  }

  set(response: Response, { state, browserSecret }: IssuedOAuthState): void {
    response.cookie(this.nameOf(state), browserSecret, {
      ...this.options,
      maxAge: OAUTH_STATE_SECONDS * 1000,
    });
  }

  /** The secret the browser got with this state; the cookie is cleared. */
  take(request: Request, response: Response, state: unknown): string | null {
    const secret = isOAuthState(state) ? cookieOf(request, this.nameOf(state)) : undefined;
    if (secret === undefined) return null;
    response.clearCookie(this.nameOf(state as string), this.options);
    return secret;
  }

  /** Part of the state, so that flows in two tabs do not overwrite each other's cookie. */
  private nameOf(state: string): string {
    return `mailroom_${this.name}_${state.slice(0, 8)}`;
  }
}
