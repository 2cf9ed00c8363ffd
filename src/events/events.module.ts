import { Global, Module } from '@nestjs/common';
import { JobFinishedListener } from '../jobs/job-finished-listener.port';
import { NotificationsModule } from '../notifications/notifications.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { EventDispatcher, RecordedEventDispatcher } from './event-dispatcher';
import { EventsCron } from './events.cron';
import { EventsRepository } from './events.repository';
import { EventsService } from './events.service';
import { JobFinishedEvents } from './job-finished-events';

/** What happened, told to whom it concerns. Global, so that the job machinery finds whom to tell of ends. */
@Global()
@Module({
  imports: [NotificationsModule, WebhooksModule],
  providers: [
    EventsRepository,
    EventsService,
    EventsCron,
    { provide: EventDispatcher, useClass: RecordedEventDispatcher },
    { provide: JobFinishedListener, useClass: JobFinishedEvents },
  ],
  exports: [EventDispatcher, JobFinishedListener],
})
export class EventsModule {}
