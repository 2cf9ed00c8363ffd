import { Injectable } from '@nestjs/common';
import { OAuthStateCookie, OAuthStates } from '../auth/oauth-state';
import { RedisService } from '../common/redis/redis.service';
import { AppConfig } from '../config/app-config';
import type { FlowSecrets } from './openid-provider';

/** A browser sent to the provider. */
export interface OidcFlow {
  readonly secrets: FlowSecrets;
  /** A path of the application. */
  readonly returnTo: string;
  /** Who asked, signed in, to be linked; null for a sign-in. */
  readonly link: { readonly userId: string; readonly sessionId: string } | null;
}

/** The `state` of sign-ins under way. */
@Injectable()
export class OidcStates extends OAuthStates<OidcFlow> {
  constructor(redis: RedisService) {
    super(redis, 'oidc');
  }
}

/** Ties a sign-in to the browser that began it. */
@Injectable()
export class OidcStateCookie extends OAuthStateCookie {
  constructor(config: AppConfig) {
    super(config, 'oidc', '/api/auth/oidc/callback');
  }
}
