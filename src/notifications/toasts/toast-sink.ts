import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../common/database/transactions';
import { RedisService } from '../../common/redis/redis.service';
import type { EventSink } from '../../events/event-sink';
import type { RecordedEvent } from '../../events/events';

/** Events as news for the streams that show toasts; whoever listens decides by the user's preferences. */
@Injectable()
export class ToastSink implements EventSink {
  constructor(private readonly redis: RedisService) {}

  accept(event: RecordedEvent, transaction: Transaction): Promise<void> {
    transaction.afterCommit(() => this.redis.publish(`events:user:${event.userId}`, event.id));
    return Promise.resolve();
  }
}
