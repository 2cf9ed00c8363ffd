import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { LONG_BODY } from '../../http/json-body.guard';
import { RATE_LIMIT_CLASS } from '../../rate-limit/rate-limit-decorators';
import { type CountedRequest, RateLimiter, TooManyRequests } from '../../rate-limit/rate-limiter';
import { AppConfig } from '../../config/app-config';
import { AuditTrail } from '../audit-trail.port';

/** Bytes of a body that count as one request: the check of tens of thousands of ids holds up all other requests. */
const BYTES_PER_REQUEST = 8 * 1024;

/** Counts the request for its user, or for its address when no user is signed in (429). */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly rateLimiter: RateLimiter,
    private readonly audit: AuditTrail,
    private readonly config: AppConfig,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const declared = this.reflector.getAllAndOverride<'auth' | 'none' | undefined>(RATE_LIMIT_CLASS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (declared === 'none') return true;
    const limit = declared ?? 'general';
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const isLong = this.reflector.get<boolean | undefined>(LONG_BODY, context.getHandler()) ?? false;
    const weight = isLong ? weightOf(request, this.config.http.maxJsonBytes) : 1;
    const userId = request.user?.id ?? null;
    const counted = { request, response: http.getResponse<Response>(), userId, limit, weight } as const;
    return this.consume(counted);
  }

  private async consume(counted: CountedRequest): Promise<boolean> {
    try {
      await this.rateLimiter.consume(counted);
      return true;
    } catch (error) {
      // One entry per window: a client that tries thousands of passwords must not fill the log as well.
      if (counted.limit === 'auth' && error instanceof TooManyRequests && error.isFirst) {
        const details = { code: error.code, of: 'address' };
        await this.audit.recordRefusal({ action: 'session.refused', userId: null, details });
      }
      throw error;
    }
  }
}

/** Requests weigh more the longer their bodies are; a body without a stated length counts as the longest allowed. */
function weightOf({ headers }: Request, maxBytes: number): number {
  const isUnknown = headers['transfer-encoding'] !== undefined;
  const bytes = isUnknown ? maxBytes : Math.min(maxBytes, Number(headers['content-length'] ?? 0));
  return 1 + Math.floor(bytes / BYTES_PER_REQUEST);
}
