import { Injectable, Logger } from '@nestjs/common';
import { describeError } from '../common/logging/describe-error';
import { RedisService } from '../common/redis/redis.service';

const CHANNEL = 'webhook-deliveries';

/** Tells processes that send of new deliveries. Losing a wake-up costs seconds: they also look by themselves. */
@Injectable()
export class WebhookDeliveryQueue {
  private readonly logger = new Logger(WebhookDeliveryQueue.name);

  constructor(private readonly redis: RedisService) {}

  /** Returns at once. */
  wake(): void {
    this.redis.publish(CHANNEL, null).catch((error: unknown) => {
      this.logger.warn(
        `Senders of webhooks were not woken, they look again soon: ${describeError(error).message}`,
      );
    });
  }

  /** Calls `onWake` until the returned function is called. */
  listen(onWake: () => void): Promise<() => Promise<void>> {
    return this.redis.subscribe(CHANNEL, onWake);
  }
}
