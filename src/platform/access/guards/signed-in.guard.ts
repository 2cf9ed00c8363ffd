import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Unauthenticated } from '../access.errors';
import { routePolicyOf } from '../policies';

/** Refuses anonymous requests (401), and every request to a route without a policy. */
@Injectable()
export class SignedInGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const policy = routePolicyOf(this.reflector, context);
    if (policy === 'public') return true;
    if (!policy || !context.switchToHttp().getRequest<Request>().user) throw new Unauthenticated();
    return true;
  }
}
