import { ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { addLogContext } from '../../logging/log-context';
import { KnownCallers } from '../known-callers.port';
import { routePolicyOf } from '../policies';
import { StrategyNames } from './strategy-names';

/**
 * Authenticates the caller and sets `request.user`. Despite its name, the usual one in Nest, it also accepts API keys:
 *
 * - an access token or a session cookie, by `JwtStrategy`
 * - an API key, by `ApiKeyStrategy`
 *
 * A caller who is known from a request just before does not wait for Passport. Anonymous requests pass, so that they are
 * counted before `SignedInGuard` refuses them. On public routes credentials are ignored.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    strategies: StrategyNames,
    private readonly callers: KnownCallers,
  ) {
    super({ defaultStrategy: [strategies.jwt, strategies.apiKey] });
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (routePolicyOf(this.reflector, context) === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const known = this.callers.find(request);
    if (!known) return this.authenticate(context, request);
    request.user = known;
    addLogContext({ userId: known.id });
    return true;
  }

  private async authenticate(context: ExecutionContext, request: Request): Promise<boolean> {
    await super.canActivate(context);
    if (request.user) addLogContext({ userId: request.user.id });
    return true;
  }

  /** @throws the error of a strategy: the database is unavailable, or the request comes from another site */
  override handleRequest<U>(error: unknown, user: U | false): U | null {
    if (error) throw error instanceof Error ? error : new Error('Authentication failed', { cause: error });
    return user || null;
  }
}
