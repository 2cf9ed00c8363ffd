import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiProblems } from '../openapi/api-problems';
import type { AuthenticatedUser } from './authenticated-user';

/** Who may call a route. Every route declares exactly one; a route without one is closed and fails a spec. */
export type RoutePolicy = 'public' | 'authenticated' | 'admin' | 'owns-account';

export const ROUTE_POLICY = 'mailroom:route-policy';

const policy = (value: RoutePolicy): MethodDecorator & ClassDecorator => SetMetadata(ROUTE_POLICY, value);

/** No token needed. */
export const Public = (): MethodDecorator & ClassDecorator => policy('public');

/** Any live session. */
export const Authenticated = (): MethodDecorator & ClassDecorator =>
  applyDecorators(policy('authenticated'), ApiBearerAuth(), ApiProblems(401, 429));

/** A live session of an administrator; others get 403. */
export const AdminOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(policy('admin'), ApiBearerAuth(), ApiProblems(401, 403, 429));

/** A live session whose user owns the account in `:accountId`; unknown and foreign accounts get the same 403. */
export const OwnsAccount = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    policy('owns-account'),
    ApiBearerAuth(),
    ApiProblems(400, 401, 403, 429),
    ApiParam({
      name: 'accountId',
      description: 'A mailbox account of the caller',
      schema: { type: 'string', format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' },
    }),
  );

/** The caller: `@CurrentUser() user: AuthenticatedUser`. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AuthenticatedUser => {
    const user = context.switchToHttp().getRequest<Request>().user;
    if (!user) throw new Error('@CurrentUser() on a public route');
    return user;
  },
);
