import { Injectable } from '@nestjs/common';
import { RedisService } from '../../common/redis/redis.service';
import { FlowStates } from '../browser-flows/flow-states';
import type { FlowSecrets } from './provider/openid-provider';

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
export class OidcFlows extends FlowStates<OidcFlow> {
  constructor(redis: RedisService) {
    super(redis, 'oidc');
  }
}
