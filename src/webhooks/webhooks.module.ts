import { Module } from '@nestjs/common';
import { WebhookDeliveriesRepository } from './outbox/webhook-deliveries.repository';
import { WebhookClient } from './outbox/webhook-client';
import { WebhookSink } from './outbox/webhook-sink';
import { WebhookTimings } from './outbox/webhook-timings';
import { WebhookTargets } from './targets/webhook-targets';

/** Events told to other people's servers. */
@Module({
  providers: [WebhookDeliveriesRepository, WebhookSink, WebhookTargets, WebhookClient, WebhookTimings],
  exports: [WebhookSink],
})
export class WebhooksModule {}
