import { ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { addLogContext } from '../../common/logging/log-context';
import { routePolicyOf } from '../policies';
import { StrategyNames } from './strategy-names';

/**
 * Puts the caller into `request.user`: by access token or session cookie (`JwtStrategy`), or by API key
 * (`ApiKeyStrategy`). Anonymous requests pass, so that they are counted before `SignedInGuard` refuses them. On public
 * routes credentials are ignored.
 */
@Injectable()
export class JwtAuthGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    strategies: StrategyNames,
  ) {
    super({ defaultStrategy: [strategies.jwt, strategies.apiKey] });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (routePolicyOf(this.reflector, context) === 'public') return true;
    await super.canActivate(context);
    const { user } = context.switchToHttp().getRequest<Request>();
    if (user) addLogContext({ userId: user.id });
    return true;
  }

  /** @throws what a strategy failed with: the database is unavailable, or the request comes from another site */
  override handleRequest<U>(error: unknown, user: U | false): U | null {
    if (error) throw error instanceof Error ? error : new Error('Authentication failed', { cause: error });
    return user || null;
  }
}
