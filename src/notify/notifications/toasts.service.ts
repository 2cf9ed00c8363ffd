import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { notificationOf } from './notification-texts';
import { PreferencesService } from './preferences.service';
import { EventsSince, RecentEventsRepository, StreamPosition } from './recent-events.repository';

/** The events that a reconnecting client gets. Toasts are short-lived: older events are among the notifications. */
const MISSED = { seconds: 300, limit: 100 };

/** Which events a stream has still to show as toasts. */
@Injectable()
export class ToastsService {
  constructor(
    private readonly recent: RecentEventsRepository,
    private readonly preferences: PreferencesService,
  ) {}

  /** @param lastEventId the last event the client showed; null, or anything but a UUID: only events from now on */
  async positionOf(userId: string, lastEventId: string | null): Promise<StreamPosition> {
    return lastEventId !== null && isUuid(lastEventId)
      ? this.recent.readPositionAfter(userId, lastEventId)
      : this.recent.readPosition();
  }

  /**
   * Events since `position` that the user wants toasts for, oldest first: at most a hundred, of the last five minutes. Each
   * event lies between two positions only once.
   */
  async readSince(userId: string, position: StreamPosition): Promise<EventsSince> {
    const read = await this.recent.readSince(userId, position, MISSED);
    if (read.events.length === 0) return read;
    const preferences = await this.preferences.get(userId);
    return {
      ...read,
      events: read.events.filter((event) => preferences[`${notificationOf(event).type}_toast`]),
    };
  }
}
