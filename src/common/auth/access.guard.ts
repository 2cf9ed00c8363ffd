import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppConfig } from '../../config/app-config';
import { addLogContext } from '../logging/log-context';
import { RateLimiter } from '../rate-limit/rate-limiter';
import { RATE_LIMIT_CLASS } from '../rate-limit/rate-limit.decorator';
import { AccountOwnership } from './account-ownership.port';
import { AccountNotOwned, AdminRequired, ForeignOrigin, Unauthenticated } from './auth.errors';
import type { AuthenticatedUser } from './authenticated-user';
import { checkPathIds } from './path-ids';
import { ROUTE_POLICY, RoutePolicy } from './policies';
import { SessionVerifier } from './session-verifier.port';
import { ACCESS_COOKIE, isUnsafeMethod } from './session-cookies';

/**
 * The one gate in front of every route, fail-closed, in this order:
 * 1. token (401) — and the `Origin` of unsafe requests that come with a cookie,
 * 2. rate limit of the caller, or of the address when there is none (429),
 * 3. ids in the path are well-formed (400),
 * 4. administrator (403), 5. ownership of `:accountId` (403).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionVerifier,
    private readonly ownership: AccountOwnership,
    private readonly rateLimiter: RateLimiter,
    private readonly config: AppConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const targets = [context.getHandler(), context.getClass()];
    const policy = this.reflector.getAllAndOverride<RoutePolicy | undefined>(ROUTE_POLICY, targets);
    const limit = this.reflector.getAllAndOverride<'auth' | 'none' | undefined>(RATE_LIMIT_CLASS, targets);

    const user = policy === 'public' ? null : await this.authenticate(request);
    if (limit !== 'none')
      await this.rateLimiter.consume(request, response, user?.id ?? null, limit ?? 'general');
    if (policy === 'public') return true;
    if (!user) throw new Unauthenticated();
    request.user = user;
    addLogContext({ userId: user.id });

    checkPathIds(request.params);
    if (policy === 'admin' && user.role !== 'admin') throw new AdminRequired();
    const accountId = request.params['accountId'];
    if (typeof accountId === 'string') {
      if (!(await this.ownership.owns(user.id, accountId))) throw new AccountNotOwned();
      addLogContext({ accountId });
    }
    // A route without a declared policy stays closed, whoever asks.
    if (!policy) throw new Unauthenticated();
    return true;
  }

  private async authenticate(request: Request): Promise<AuthenticatedUser | null> {
    const [scheme, bearer] = (request.get('authorization') ?? '').split(' ');
    if (scheme?.toLowerCase() === 'bearer' && bearer) return this.sessions.verify(bearer);
    const cookie = (request.cookies as Record<string, string> | undefined)?.[ACCESS_COOKIE];
    if (!cookie) return null;
    if (isUnsafeMethod(request.method) && request.get('origin') !== new URL(this.config.http.appUrl).origin) {
      throw new ForeignOrigin();
    }
    return this.sessions.verify(cookie);
  }
}
