import { Injectable } from '@nestjs/common';
import { FlowStates } from '../../../auth/browser-flows/flow-states';
import { RedisService } from '../../../common/redis/redis.service';

/** Whose consent it is that was asked for. */
export interface PendingConsent {
  readonly userId: string;
  readonly sessionId: string;
  readonly provider: string;
  readonly codeVerifier: string;
}

/** Who returns with a state: what the browser was given with it, and the session the request presents. */
export interface ReturningClient {
  readonly browserSecret: string | null;
  readonly sessionId: string | null;
}

/** The `state` of consents under way. */
@Injectable()
export class ConsentStates extends FlowStates<PendingConsent> {
  constructor(redis: RedisService) {
    super(redis, 'consent');
  }
}
