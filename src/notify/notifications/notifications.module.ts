import { Module } from '@nestjs/common';
import { SseTimings } from '../../platform/sse/sse-streams';
import { NotificationHandler } from './notification.handler';
import { NotificationsController } from './notifications.controller';
import { NotificationsCron } from './notifications.cron';
import { NotificationsRepository } from './notifications.repository';
import { NotificationsService } from './notifications.service';
import { PreferencesController } from './preferences.controller';
import { PreferencesRepository } from './preferences.repository';
import { PreferencesService } from './preferences.service';
import { RecentEventsRepository } from './recent-events.repository';
import { ToastBroadcast } from './toast-broadcast';
import { ToastStreams } from './toast-streams';
import { ToastHandler } from './toast.handler';
import { ToastsController } from './toasts.controller';
import { ToastsService } from './toasts.service';

/** Notifications in the application, toasts, and the preferences for both. */
@Module({
  // Fixed paths before `:notificationId`.
  controllers: [PreferencesController, ToastsController, NotificationsController],
  providers: [
    NotificationsService,
    NotificationsRepository,
    PreferencesService,
    PreferencesRepository,
    NotificationsCron,
    NotificationHandler,
    ToastBroadcast,
    ToastHandler,
    ToastStreams,
    ToastsService,
    RecentEventsRepository,
    SseTimings,
  ],
  exports: [SseTimings, ToastStreams],
})
export class NotificationsModule {}
