import { Module } from '@nestjs/common';
import { MailboxAccountsModule } from '../accounts/mailbox-accounts.module';
import { JobsModule } from '../../platform/jobs/jobs.module';
import { NotificationsModule } from '../../notify/notifications/notifications.module';
import { LiveUpdatesController } from './live-updates.controller';
import { LiveUpdatesService } from './live-updates.service';

/** Module of `GET /api/events`. */
@Module({
  imports: [JobsModule, MailboxAccountsModule, NotificationsModule],
  controllers: [LiveUpdatesController],
  providers: [LiveUpdatesService],
})
export class LiveUpdatesModule {}
