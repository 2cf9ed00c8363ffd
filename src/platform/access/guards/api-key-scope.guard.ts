import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { DomainError } from '../../http/domain-error';
import { addLogContext } from '../../logging/log-context';
import { checkApiKeyAccess } from '../api-key-access';
import { API_KEY_RULE, ApiKeyRule, READS_ONLY, routePolicyOf } from '../policies';
import { ApiKeyRefusals } from './api-key-refusals';

/** Refuses API keys whose scope or accounts do not cover the route (403); sessions pass. See ADR 25. */
@Injectable()
export class ApiKeyScopeGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly refusals: ApiKeyRefusals,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { user, method, params } = context.switchToHttp().getRequest<Request>();
    if (!user?.apiKey) return true;
    addLogContext({ apiKeyId: user.apiKey.id });
    const targets = [context.getHandler(), context.getClass()];
    const accountId = params['accountId'];
    try {
      checkApiKeyAccess(user.apiKey, {
        policy: routePolicyOf(this.reflector, context),
        method,
        rule: this.reflector.getAllAndOverride<ApiKeyRule | undefined>(API_KEY_RULE, targets),
        readsOnly: this.reflector.get<boolean | undefined>(READS_ONLY, context.getHandler()) ?? false,
        accountId: typeof accountId === 'string' ? accountId : undefined,
      });
    } catch (refusal) {
      if (refusal instanceof DomainError) this.refusals.record(user, refusal.code);
      throw refusal;
    }
    return true;
  }
}
