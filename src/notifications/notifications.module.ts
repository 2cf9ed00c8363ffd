import { Module } from '@nestjs/common';
import { SessionsModule } from '../auth/sessions/sessions.module';
import { SseTimings } from '../common/http/sse/sse-timings';
import { InAppSink } from './in-app/in-app-sink';
import { NotificationsCron } from './in-app/notifications.cron';
import { NotificationsController } from './in-app/notifications.controller';
import { NotificationsRepository } from './in-app/notifications.repository';
import { NotificationsService } from './in-app/notifications.service';
import { OldNotifications } from './in-app/old-notifications.service';
import { PreferencesController } from './preferences/preferences.controller';
import { PreferencesRepository } from './preferences/preferences.repository';
import { PreferencesService } from './preferences/preferences.service';
import { RecentEventsRepository } from './toasts/recent-events.repository';
import { ToastNews } from './toasts/toast-news';
import { ToastSink } from './toasts/toast-sink';
import { ToastStreams } from './toasts/toast-streams.service';
import { ToastsController } from './toasts/toasts.controller';
import { ToastsService } from './toasts/toasts.service';

/** What users are told in the application, and what of it they want to hear. */
@Module({
  imports: [SessionsModule],
  // Paths of their own before those with an id in their place.
  controllers: [PreferencesController, ToastsController, NotificationsController],
  providers: [
    NotificationsService,
    NotificationsRepository,
    PreferencesService,
    PreferencesRepository,
    OldNotifications,
    NotificationsCron,
    InAppSink,
    ToastNews,
    ToastSink,
    ToastStreams,
    ToastsService,
    RecentEventsRepository,
    SseTimings,
  ],
  exports: [InAppSink, ToastSink],
})
export class NotificationsModule {}
