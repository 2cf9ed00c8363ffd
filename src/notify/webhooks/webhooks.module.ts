import { Module } from '@nestjs/common';
import { bullQueue } from '../../platform/redis/bull-queues';
import { UsersModule } from '../../identity/users/users.module';
import { WebhookClient } from './webhook-client';
import { WebhookDeliveriesRepository } from './webhook-deliveries.repository';
import { WebhookDeliveryWorker } from './webhook-delivery-worker';
import { WebhookDeliveryProcessor } from './webhook-delivery.processor';
import { WebhookEventHandler } from './webhook-event.handler';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookSender } from './webhook-sender';
import { WebhookTargets } from './webhook-target';
import { WebhookTestLimits, WebhookTestService } from './webhook-test.service';
import { DELIVERIES_QUEUE, WebhookTimings } from './webhook-timings';
import { WebhooksController } from './webhooks.controller';
import { WebhooksCron } from './webhooks.cron';
import { WebhooksRepository } from './webhooks.repository';
import { WebhooksService } from './webhooks.service';

/** Webhooks and their deliveries. */
@Module({
  imports: [UsersModule],
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
    bullQueue(DELIVERIES_QUEUE),
    WebhookSender,
    WebhookDeliveryWorker,
    WebhookDeliveryProcessor,
    WebhookMetrics,
    WebhooksCron,
  ],
})
export class WebhooksModule {}
