import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config';
import { FlowCookie } from '../browser-flows/flow-cookie';

/** Ties a sign-in to the browser that began it. */
@Injectable()
export class OidcCookie extends FlowCookie {
  constructor(config: AppConfig) {
    super(config, 'oidc', '/api/auth/oidc/callback');
  }
}
