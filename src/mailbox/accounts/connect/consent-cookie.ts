import { Injectable } from '@nestjs/common';
import { FlowCookie } from '../../../auth/browser-flows/flow-cookie';
import { AppConfig } from '../../../config/app-config';

/** Ties a consent to the browser that asked for it. */
@Injectable()
export class ConsentCookie extends FlowCookie {
  constructor(config: AppConfig) {
    super(config, 'consent', '/api/auth/mailbox/callback');
  }
}
