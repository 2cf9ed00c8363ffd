import { Global, Module } from '@nestjs/common';
import { JobEndings } from '../common/jobs/job-endings.port';
import { AnnouncedJobEndings } from './announced-job-endings';
import { EventDispatcher } from './event-dispatcher.port';
import { InAppSink } from './in-app/in-app-sink';
import { NotificationsController } from './in-app/notifications.controller';
import { NotificationsRepository } from './in-app/notifications.repository';
import { NotificationsService } from './in-app/notifications.service';
import { PreferencesController } from './preferences/preferences.controller';
import { PreferencesRepository } from './preferences/preferences.repository';
import { PreferencesService } from './preferences/preferences.service';
import { SinksEventDispatcher } from './sinks-event-dispatcher';

/** What happened, told to whom it concerns. Global, so that the job machinery finds whom to tell of ends. */
@Global()
@Module({
  // The paths of preferences before those with an id in their place.
  controllers: [PreferencesController, NotificationsController],
  providers: [
    NotificationsService,
    NotificationsRepository,
    PreferencesService,
    PreferencesRepository,
    InAppSink,
    { provide: EventDispatcher, useClass: SinksEventDispatcher },
    { provide: JobEndings, useClass: AnnouncedJobEndings },
  ],
  exports: [EventDispatcher, JobEndings],
})
export class NotificationsModule {}
