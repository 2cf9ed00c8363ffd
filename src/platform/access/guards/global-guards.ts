import type { CanActivate, Type } from '@nestjs/common';
import { JsonBodyGuard } from '../../http/json-body.guard';
import { AccountOwnerGuard } from './account-owner.guard';
import { AdminGuard } from './admin.guard';
import { ApiKeyScopeGuard } from './api-key-scope.guard';
import { DatabaseUseGuard } from './database-use.guard';
import { JwtAuthGuard } from './jwt-auth.guard';
import { PathIdsGuard } from './path-ids.guard';
import { RateLimitGuard } from './rate-limit.guard';
import { SignedInGuard } from './signed-in.guard';

/**
 * The guards in front of every route, in the order in which they run. Requests are counted before anything is refused,
 * and ids are well-formed before anything is looked up by them. The first seven decide who may call; what follows prepares the
 * request for its handler, in guards because interceptors cost every request several times as much.
 * See ADRs 33 and 51.
 */
export const GLOBAL_GUARDS: readonly Type<CanActivate>[] = [
  JwtAuthGuard,
  RateLimitGuard,
  SignedInGuard,
  PathIdsGuard,
  ApiKeyScopeGuard,
  AdminGuard,
  AccountOwnerGuard,
  DatabaseUseGuard,
  JsonBodyGuard,
];
