import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { AppConfig } from '../config/app-config';
import { DomainError } from '../http/domain-error';
import { RedisService } from '../redis/redis.service';
import { LeasedLimiter, type WindowState } from './leased-limiter';

/**
 * The key that counts requests of a client address: an IPv4 address itself, or the /64 network of an IPv6 address, since
 * one household or machine has all of it (RFC 6177).
 */
export function clientKey(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}

export class TooManyRequests extends DomainError {
  /**
   * @param waitMs until the window ends
   * @param isFirst whether nothing has been refused in this window before
   */
  constructor(
    waitMs: number,
    detail = 'Too many requests; slow down.',
    readonly isFirst = false,
  ) {
    super({
      code: 'too-many-requests',
      status: 429,
      detail,
      retryAt: new Date(Date.now() + waitMs),
    });
  }
}

export interface CountedRequest {
  readonly request: Request;
  readonly response: Response;
  /** null: the client's address counts. */
  readonly userId: string | null;
  readonly limit: 'general' | 'auth';
  /** Number of usual requests that it counts for. */
  readonly weight: number;
}

const keyOf = (request: Request, userId: string | null): string =>
  userId ? `user:${userId}` : `address:${clientKey(request.ip)}`;

/** Points of a request: at most a quarter of the limit, so that some heavy requests are allowed under any limit. */
const pointsOf = (weight: number, { points }: LeasedLimiter): number =>
  Math.min(weight, Math.ceil(points / 4));

/** Requests per minute, per user or (anonymous) per client address, counted in Redis for all processes together. */
@Injectable()
export class RateLimiter {
  private readonly limiters: Record<'general' | 'auth', LeasedLimiter>;

  constructor(redis: RedisService, config: AppConfig) {
    const limiter = (name: string, points: number): LeasedLimiter =>
      new LeasedLimiter(
        new RateLimiterRedis({
          storeClient: redis.client,
          keyPrefix: redis.key('rate', name),
          points,
          duration: 60,
        }),
      );
    this.limiters = {
      general: limiter('general', config.limits.requestsPerMinute),
      auth: limiter('auth', config.limits.authRequestsPerMinute),
    };
  }

  /**
   * Counts the request, as `weight` of the usual ones, and sets the `RateLimit-*` headers.
   * @throws TooManyRequests
   */
  async consume({ request, response, userId, limit, weight }: CountedRequest): Promise<void> {
    const limiter = this.limiters[limit];
    const points = pointsOf(weight, limiter);
    try {
      describe(response, limiter.points, await limiter.consume(keyOf(request, userId), points));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      describe(response, limiter.points, refusal);
      const isFirst = refusal.consumedPoints - points <= limiter.points;
      throw new TooManyRequests(refusal.msBeforeNext, undefined, isFirst);
    }
  }
}

function describe(response: Response, points: number, state: WindowState): void {
  response.setHeader('RateLimit-Limit', points);
  response.setHeader('RateLimit-Remaining', Math.max(0, state.remainingPoints));
  response.setHeader('RateLimit-Reset', Math.ceil(state.msBeforeNext / 1000));
}
