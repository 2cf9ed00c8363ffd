import { applyDecorators, SetMetadata } from '@nestjs/common';
import { markAccess } from '../openapi/access-marks';

/** Metadata of `@OpenToApiKeys()` and `@SessionOnly()`. */
export const API_KEY_RULE = 'mailroom:api-key-rule';
/** Metadata of `@ReadsOnly()`. */
export const READS_ONLY = 'mailroom:reads-only';

export interface OpenRoute {
  /** `write`: what the route answers is not for keys of scope `read`, e.g. because there are secrets in it. */
  readonly needs?: 'write';
  /**
   * Keys bound to accounts may call a route without `:accountId`: its handler leaves out what belongs to other accounts,
   * with `boundAccountsOf(user)`.
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

/** A route of `@OwnsAccount()` that is for signed-in people alone. */
export const SessionOnly = (): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(API_KEY_RULE, 'session-only' satisfies ApiKeyRule),
    markAccess({ keys: 'session-only' }),
  );

/** A POST that changes nothing, so that API keys of scope `read` may call it as they may call every GET. */
export const ReadsOnly = (): MethodDecorator =>
  applyDecorators(SetMetadata(READS_ONLY, true), markAccess({ readsOnly: true }));
