import { Module } from '@nestjs/common';
import { NotificationsModule } from './notifications/notifications.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** What the service tells people and other programs. */
@Module({
  imports: [NotificationsModule, WebhooksModule],
})
export class NotifyModule {}
