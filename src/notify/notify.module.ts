import { Module } from '@nestjs/common';
import { NotificationsModule } from './notifications/notifications.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The features of `notify`: notifications in the application, and webhooks for other programs. */
@Module({
  imports: [NotificationsModule, WebhooksModule],
})
export class NotifyModule {}
