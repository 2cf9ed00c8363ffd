import { Module } from '@nestjs/common';
import { InAppSink } from './in-app/in-app-sink';
import { NotificationsController } from './in-app/notifications.controller';
import { NotificationsRepository } from './in-app/notifications.repository';
import { NotificationsService } from './in-app/notifications.service';
import { PreferencesController } from './preferences/preferences.controller';
import { PreferencesRepository } from './preferences/preferences.repository';
import { PreferencesService } from './preferences/preferences.service';
import { ToastSink } from './toasts/toast-sink';

/** What users are told in the application, and what of it they want to hear. */
@Module({
  // The paths of preferences before those with an id in their place.
  controllers: [PreferencesController, NotificationsController],
  providers: [
    NotificationsService,
    NotificationsRepository,
    PreferencesService,
    PreferencesRepository,
    InAppSink,
    ToastSink,
  ],
  exports: [InAppSink, ToastSink],
})
export class NotificationsModule {}
