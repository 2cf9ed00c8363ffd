import { Module } from '@nestjs/common';
import { WebhookDeliveriesRepository } from './outbox/webhook-deliveries.repository';
import { WebhookSink } from './outbox/webhook-sink';
import { WebhookTargets } from './targets/webhook-targets';

/** Events told to other people's servers. */
@Module({
  providers: [WebhookDeliveriesRepository, WebhookSink, WebhookTargets],
  exports: [WebhookSink],
})
export class WebhooksModule {}
