import { Global, Module } from '@nestjs/common';
import { JobEndings } from '../common/jobs/job-endings.port';
import { AnnouncedJobEndings } from './announced-job-endings';
import { EventDispatcher } from './event-dispatcher.port';
import { InAppSink } from './in-app-sink';
import { NotificationsRepository } from './notifications.repository';
import { SinksEventDispatcher } from './sinks-event-dispatcher';

/** What happened, told to whom it concerns. Global, so that the job machinery finds whom to tell of ends. */
@Global()
@Module({
  providers: [
    NotificationsRepository,
    InAppSink,
    { provide: EventDispatcher, useClass: SinksEventDispatcher },
    { provide: JobEndings, useClass: AnnouncedJobEndings },
  ],
  exports: [EventDispatcher, JobEndings],
})
export class NotificationsModule {}
