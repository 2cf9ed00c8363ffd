import { Global, Module } from '@nestjs/common';
import { JobEndings } from '../common/jobs/news/job-endings.port';
import { NotificationsModule } from '../notifications/notifications.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { AnnouncedJobEndings } from './announced-job-endings';
import { EventDispatcher } from './event-dispatcher.port';
import { EventsCron } from './events.cron';
import { EventsRepository } from './events.repository';
import { OldEvents } from './old-events.service';
import { RecordedEventDispatcher } from './recorded-event-dispatcher';

/** What happened, told to whom it concerns. Global, so that the job machinery finds whom to tell of ends. */
@Global()
@Module({
  imports: [NotificationsModule, WebhooksModule],
  providers: [
    EventsRepository,
    OldEvents,
    EventsCron,
    { provide: EventDispatcher, useClass: RecordedEventDispatcher },
    { provide: JobEndings, useClass: AnnouncedJobEndings },
  ],
  exports: [EventDispatcher, JobEndings],
})
export class EventsModule {}
