import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transactions';
import { BullQueues } from '../../platform/redis/bull-queues';
import { EventHandler, HandlesEvents } from '../../platform/events/event-handler';
import { RecordedEvent, WEBHOOK_EVENTS, WebhookEvent } from '../../platform/events/events';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { DELIVERIES_QUEUE } from './webhook-timings';

const isForWebhooks = (type: string): type is WebhookEvent => WEBHOOK_EVENTS.some((event) => event === type);

/** Queues a delivery for each active webhook of the user that subscribes to the event. */
@HandlesEvents()
@Injectable()
export class WebhookEventHandler implements EventHandler {
  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly queues: BullQueues,
  ) {}

  async handle(event: RecordedEvent, transaction: Transaction): Promise<void> {
    if (!isForWebhooks(event.type)) return;
    const added = await this.deliveries.enqueue(event, transaction);
    if (added > 0) transaction.afterCommit(() => this.queues.wake(DELIVERIES_QUEUE));
  }
}
