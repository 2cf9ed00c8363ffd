import { Module } from '@nestjs/common';
import { WebhookDeactivation } from './webhook-deactivation';
import { WebhooksRepository } from './webhooks.repository';

/** Ends webhooks. It is separate from WebhooksModule, which would begin to send. */
@Module({
  providers: [WebhookDeactivation, WebhooksRepository],
  exports: [WebhookDeactivation],
})
export class WebhookDeactivationModule {}
