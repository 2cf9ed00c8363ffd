import { Injectable } from '@nestjs/common';
import { OAuthStateCookie, OAuthStates } from '../auth/oauth-state';
import { RedisService } from '../../platform/redis/redis.service';
import { AppConfig } from '../../platform/config/app-config';
import type { OidcSecrets } from './openid-provider';

/** A flow whose browser was sent to the provider. */
export interface OidcFlow {
  readonly secrets: OidcSecrets;
  /** A path of the application. */
  readonly returnTo: string;
  /** The signed-in user who asked to be linked; null for a sign-in. */
  readonly link: { readonly userId: string; readonly sessionId: string } | null;
}

/** The states of sign-ins and links in progress. */
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
