import { applyDecorators, createParamDecorator, ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { markAccess } from '../http/access-marks';
import { SessionRequired } from './access.errors';
import type { AuthenticatedUser, SessionUser } from './authenticated-user';

/** The callers whom a route admits. Every route declares one policy: without it the service does not start. */
export type RoutePolicy = 'public' | 'authenticated' | 'admin' | 'owns-account';

export const ROUTE_POLICY = 'mailroom:route-policy';

/** The policy of the route that a guard decides on: its handler's, else its controller's. */
export const routePolicyOf = (reflector: Reflector, context: ExecutionContext): RoutePolicy | undefined =>
  reflector.getAllAndOverride<RoutePolicy | undefined>(ROUTE_POLICY, [
    context.getHandler(),
    context.getClass(),
  ]);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method changes something, and so needs an `Origin` of the application with a session cookie. */
export const isUnsafeMethod = (method: string): boolean => !SAFE_METHODS.has(method);

const policy = (value: RoutePolicy): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(ROUTE_POLICY, value), markAccess({ policy: value }));

/** No token needed. */
export const Public = (): MethodDecorator & ClassDecorator => policy('public');

/** Any live session; API keys only with `@OpenToApiKeys()`. */
export const Authenticated = (): MethodDecorator & ClassDecorator => policy('authenticated');

/** A live session of an administrator; other users and all API keys get 403. */
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

/** The caller of a route that API keys cannot call: `@CurrentSession() user: SessionUser`. */
export const CurrentSession = createParamDecorator(
  (_data: unknown, context: ExecutionContext): SessionUser => {
    const user = context.switchToHttp().getRequest<Request>().user;
    if (!user) throw new Error('@CurrentSession() on a public route');
    if (user.apiKey) throw new SessionRequired();
    return user;
  },
);

/** Metadata of `@OpenToApiKeys()` and `@SessionOnly()`. */
export const API_KEY_RULE = 'mailroom:api-key-rule';
/** Metadata of `@ReadsOnly()`. */
export const READS_ONLY = 'mailroom:reads-only';

export interface OpenRoute {
  /** `write`: keys of scope `read` cannot call it even to read, e.g. because its answers contain secrets. */
  readonly needs?: 'write';
  /**
   * Keys bound to accounts may call a route without `:accountId`: its handler leaves out the data of other accounts, with
   * `boundAccountsOf(user)`.
   */
  readonly confined?: boolean;
}

export type ApiKeyRule = OpenRoute | 'session-only';

/**
 * A route without `:accountId` that API keys may call: with scope `read` when it only reads, with `write` otherwise.
 * Routes of `@OwnsAccount()` are open to keys without it; every other route is closed to them.
 */
export const OpenToApiKeys = (rule: OpenRoute = {}): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(API_KEY_RULE, rule), markAccess({ keys: rule }));

/** A route of `@OwnsAccount()` that API keys cannot call. */
export const SessionOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(API_KEY_RULE, 'session-only' satisfies ApiKeyRule),
    markAccess({ keys: 'session-only' }),
  );

/** A POST that changes nothing: API keys of scope `read` may call it, as they may call every GET. */
export const ReadsOnly = (): MethodDecorator =>
  applyDecorators(SetMetadata(READS_ONLY, true), markAccess({ readsOnly: true }));
