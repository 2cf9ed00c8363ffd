import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AdminRequired } from '../access.errors';
import { routePolicyOf } from '../policies';

/** Keeps routes of `@AdminOnly()` for administrators (403). */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (routePolicyOf(this.reflector, context) !== 'admin') return true;
    if (context.switchToHttp().getRequest<Request>().user?.role !== 'admin') throw new AdminRequired();
    return true;
  }
}
