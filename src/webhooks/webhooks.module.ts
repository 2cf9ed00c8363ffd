import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryRecordsRepository } from './deliveries/delivery-records.repository';
import { WebhookDeliveriesRepository } from './outbox/webhook-deliveries.repository';
import { WebhookClient } from './outbox/webhook-client';
import { WebhookSink } from './outbox/webhook-sink';
import { WebhookTimings } from './outbox/webhook-timings';
import { WebhookTargets } from './targets/webhook-targets';
import { TrialLimits } from './trial/trial-limits';
import { WebhookTrial } from './trial/webhook-trial.service';
import { WebhooksController } from './webhooks.controller';
import { WebhooksRepository } from './webhooks.repository';
import { WebhooksService } from './webhooks.service';

/** Events told to other people's servers. */
@Module({
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhooksRepository,
    WebhookTargets,
    DeliveriesService,
    DeliveryRecordsRepository,
    WebhookTrial,
    TrialLimits,
    WebhookDeliveriesRepository,
    WebhookSink,
    WebhookClient,
    WebhookTimings,
  ],
  exports: [WebhookSink],
})
export class WebhooksModule {}
