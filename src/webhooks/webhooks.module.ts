import { Module } from '@nestjs/common';
import { WebhookDeliveriesRepository } from './outbox/webhook-deliveries.repository';
import { WebhookSink } from './outbox/webhook-sink';

/** Events told to other people's servers. */
@Module({
  providers: [WebhookDeliveriesRepository, WebhookSink],
  exports: [WebhookSink],
})
export class WebhooksModule {}
