import { Module } from '@nestjs/common';
import { NotificationsModule } from '../../notify/notifications/notifications.module';
import { LiveUpdatesController } from './live-updates.controller';
import { LiveUpdatesService } from './live-updates.service';

/** Module of `GET /api/events`. */
@Module({
  imports: [NotificationsModule],
  controllers: [LiveUpdatesController],
  providers: [LiveUpdatesService],
})
export class LiveUpdatesModule {}
