import { Module } from '@nestjs/common';
import { DeliveriesService } from './deliveries/deliveries.service';
import { DeliveryRecordsRepository } from './deliveries/delivery-records.repository';
import { OldDeliveriesCron } from './outbox/old-deliveries.cron';
import { OldDeliveries } from './outbox/old-deliveries.service';
import { OutboxWakes } from './outbox/outbox-wakes';
import { DeliveryLeasesRepository } from './outbox/sending/delivery-leases.repository';
import { WebhookAttempts } from './outbox/sending/webhook-attempts.service';
import { WebhookMetrics } from './outbox/sending/webhook-metrics';
import { WebhookSender } from './outbox/sending/webhook-sender';
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
    OutboxWakes,
    DeliveryLeasesRepository,
    WebhookAttempts,
    WebhookSender,
    WebhookMetrics,
    OldDeliveries,
    OldDeliveriesCron,
  ],
  exports: [WebhookSink],
})
export class WebhooksModule {}
