import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { markAccess } from '../openapi/access-marks';
import { SessionRequired } from './auth.errors';
import type { AuthenticatedUser, SessionUser } from './authenticated-user';

/** Who may call a route. Every route declares exactly one; a route without one is closed and fails a spec. */
export type RoutePolicy = 'public' | 'authenticated' | 'admin' | 'owns-account';

export const ROUTE_POLICY = 'mailroom:route-policy';

const policy = (value: RoutePolicy): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ROUTE_POLICY, value), markAccess({ policy: value }));

/** No token needed. */
export const Public = (): MethodDecorator & ClassDecorator => policy('public');

/** Any live session; API keys only where `@OpenToApiKeys()` says so. */
export const Authenticated = (): MethodDecorator & ClassDecorator => policy('authenticated');

/** A live session of an administrator; others, and all API keys, get 403. */
export const AdminOnly = (): MethodDecorator & ClassDecorator => policy('admin');

/**
 * A live session, or an API key, whose user owns the account in `:accountId`; unknown and foreign accounts get the same
 * 403. Keys need scope `write` unless the route only reads (`GET`, `@ReadsOnly()`); `@SessionOnly()` keeps them out.
 */
export const OwnsAccount = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    policy('owns-account'),
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

/** The caller of a route that is for signed-in people alone: `@CurrentSession() user: SessionUser`. */
export const CurrentSession = createParamDecorator(
  (_data: unknown, context: ExecutionContext): SessionUser => {
    const user = context.switchToHttp().getRequest<Request>().user;
    if (!user) throw new Error('@CurrentSession() on a public route');
    if (user.apiKey) throw new SessionRequired();
    return user;
  },
);
