import type { CanActivate, Type } from '@nestjs/common';
import { AccountOwnerGuard } from './account-owner.guard';
import { AdminGuard } from './admin.guard';
import { ApiKeyScopeGuard } from './api-key-scope.guard';
import { JwtAuthGuard } from './jwt-auth.guard';
import { PathIdsGuard } from './path-ids.guard';
import { RateLimitGuard } from './rate-limit.guard';
import { SignedInGuard } from './signed-in.guard';

/**
 * The guards in front of every route, in the order in which they run. Requests are counted before anything is refused,
 * and ids are well-formed before anything is looked up by them.
 */
export const GLOBAL_GUARDS: readonly Type<CanActivate>[] = [
  JwtAuthGuard,
  RateLimitGuard,
  SignedInGuard,
  PathIdsGuard,
  ApiKeyScopeGuard,
  AdminGuard,
  AccountOwnerGuard,
];
