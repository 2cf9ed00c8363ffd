import { Injectable } from '@nestjs/common';
import type { Transaction } from '../common/database/transactions';
import { EventHandler, HandlesEvents } from '../events/event-handler';
import { RecordedEvent, WEBHOOK_EVENTS, WebhookEvent } from '../events/events';
import { WebhookDeliveryQueue } from './webhook-delivery-queue';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';

const isForWebhooks = (type: string): type is WebhookEvent => WEBHOOK_EVENTS.some((event) => event === type);

/** Queues a delivery for each active webhook of the user that subscribes to the event. */
@HandlesEvents()
@Injectable()
export class WebhookEventHandler implements EventHandler {
  constructor(
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly queue: WebhookDeliveryQueue,
  ) {}

  async handle(event: RecordedEvent, transaction: Transaction): Promise<void> {
    if (!isForWebhooks(event.type)) return;
    const added = await this.deliveries.enqueue(event, transaction);
    if (added > 0) transaction.afterCommit(() => this.queue.wake());
  }
}
