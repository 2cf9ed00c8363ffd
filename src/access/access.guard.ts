import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { DomainError } from '../common/http/domain-error';
import { addLogContext } from '../common/logging/log-context';
import { RATE_LIMIT_CLASS } from '../common/rate-limit/rate-limit-decorators';
import { RateLimiter, TooManyRequests } from '../common/rate-limit/rate-limiter';
import { AppConfig } from '../config/app-config';
import { AccountNotOwned, AdminRequired, ForeignOrigin, Unauthenticated } from './access.errors';
import { AccountOwnership } from './account-ownership.port';
import { AuditTrail } from './audit-trail.port';
import { checkApiKeyAccess, RouteForKeys } from './api-key-access';
import { API_KEY_PREFIX, ApiKeyVerifier } from './api-key-verifier.port';
import type { ApiKeyUser, AuthenticatedUser } from './authenticated-user';
import { checkPathIds } from './path-ids';
import { API_KEY_RULE, ApiKeyRule, READS_ONLY, ROUTE_POLICY, RoutePolicy } from './policies';
import { ACCESS_COOKIE, isUnsafeMethod } from './session-cookies';
import { SessionVerifier } from './session-verifier.port';

/**
 * The one gate in front of every route, fail-closed, in this order:
 * 1. token or API key (401) — and the `Origin` of unsafe requests that come with a cookie,
 * 2. rate limit of the caller, or of the address when there is none (429),
 * 3. ids in the path are well-formed (400),
 * 4. what the API key is good for, when it is one (403),
 * 5. administrator (403), 6. ownership of `:accountId` (403).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: SessionVerifier,
    private readonly apiKeys: ApiKeyVerifier,
    private readonly ownership: AccountOwnership,
    private readonly rateLimiter: RateLimiter,
    private readonly audit: AuditTrail,
    private readonly config: AppConfig,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const targets = [context.getHandler(), context.getClass()];
    const policy = this.reflector.getAllAndOverride<RoutePolicy | undefined>(ROUTE_POLICY, targets);
    const limit = this.reflector.getAllAndOverride<'auth' | 'none' | undefined>(RATE_LIMIT_CLASS, targets);

    const user = policy === 'public' ? null : await this.authenticate(request);
    if (limit !== 'none') await this.count(request, response, user?.id ?? null, limit ?? 'general');
    if (policy === 'public') return true;
    if (!user) throw new Unauthenticated();
    request.user = user;
    addLogContext({ userId: user.id });

    checkPathIds(request.params);
    const accountId = request.params['accountId'];
    if (user.apiKey) {
      this.checkApiKey(user, {
        policy,
        method: request.method,
        rule: this.reflector.getAllAndOverride<ApiKeyRule | undefined>(API_KEY_RULE, targets),
        readsOnly: this.reflector.get<boolean | undefined>(READS_ONLY, context.getHandler()) ?? false,
        accountId: typeof accountId === 'string' ? accountId : undefined,
      });
    }
    if (policy === 'admin' && user.role !== 'admin') throw new AdminRequired();
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
    if (scheme?.toLowerCase() === 'bearer' && bearer) {
      return bearer.startsWith(API_KEY_PREFIX) ? this.apiKeys.verify(bearer) : this.sessions.verify(bearer);
    }
    const cookie = (request.cookies as Record<string, string> | undefined)?.[ACCESS_COOKIE];
    if (!cookie) return null;
    if (isUnsafeMethod(request.method) && request.get('origin') !== new URL(this.config.http.appUrl).origin) {
      throw new ForeignOrigin();
    }
    return this.sessions.verify(cookie);
  }

  private async count(
    request: Request,
    response: Response,
    userId: string | null,
    limit: 'general' | 'auth',
  ): Promise<void> {
    try {
      await this.rateLimiter.consume(request, response, userId, limit);
    } catch (error) {
      // Once per window: whoever tries thousands of passwords must not fill the log as well.
      if (limit === 'auth' && error instanceof TooManyRequests && error.isFirst) {
        const details = { code: error.code, of: 'address' };
        await this.audit.recordRefusal({ action: 'session.refused', userId: null, details });
      }
      throw error;
    }
  }

  private checkApiKey(user: ApiKeyUser, route: RouteForKeys): void {
    addLogContext({ apiKeyId: user.apiKey.id });
    try {
      checkApiKeyAccess(user.apiKey, route);
    } catch (refusal) {
      if (refusal instanceof DomainError) this.apiKeys.noteRefusal(user, refusal.code);
      throw refusal;
    }
  }
}
