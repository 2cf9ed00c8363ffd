import { Module } from '@nestjs/common';
import { WebhookClient } from './webhook-client';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { WebhookDeliveryQueue } from './webhook-delivery-queue';
import { WebhookDeliveryWorker } from './webhook-delivery-worker';
import { WebhookEventHandler } from './webhook-event.handler';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSender } from './webhook-sender';
import { WebhookTargets } from './webhook-target';
import { WebhookTestLimits, WebhookTestService } from './webhook-test.service';
import { WebhookTimings } from './webhook-timings';
import { WebhooksController } from './webhooks.controller';
import { WebhooksCron } from './webhooks.cron';
import { WebhooksRepository } from './webhooks.repository';
import { WebhooksService } from './webhooks.service';

/** Webhooks and their deliveries. */
@Module({
  controllers: [WebhooksController],
  providers: [
    WebhooksService,
    WebhooksRepository,
    WebhookTargets,
    WebhookTestService,
    WebhookTestLimits,
    WebhookDeliveriesRepository,
    WebhookEventHandler,
    WebhookClient,
    WebhookTimings,
    WebhookDeliveryQueue,
    WebhookSender,
    WebhookDeliveryWorker,
    WebhookMetrics,
    WebhooksCron,
  ],
})
export class WebhooksModule {}
