import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { notificationOf } from './notification-texts';
import { PreferencesService } from './preferences.service';
import { EventsSince, RecentEventsRepository, StreamPosition } from './recent-events.repository';

/** What a client that was away is told of. Toasts are of the moment: older ones are found among the notifications. */
const MISSED = { seconds: 300, limit: 100 };

/** Which events are to be shown as toasts, and which have been. */
@Injectable()
export class ToastsService {
  constructor(
    private readonly recent: RecentEventsRepository,
    private readonly preferences: PreferencesService,
  ) {}

  /** @param lastEventId what the client was shown last; null, or no id of ours: it is told what happens from now on */
  async positionOf(userId: string, lastEventId: string | null): Promise<StreamPosition> {
    return lastEventId !== null && isUuid(lastEventId)
      ? this.recent.after(userId, lastEventId)
      : this.recent.now();
  }

  /**
   * Events the user wants toasts of at this moment, oldest first: at most a hundred, of the last five minutes. Each is
   * between two positions only once.
   */
  async since(userId: string, position: StreamPosition): Promise<EventsSince> {
    const read = await this.recent.since(userId, position, MISSED);
    if (read.events.length === 0) return read;
    const wanted = await this.preferences.get(userId);
    return { ...read, events: read.events.filter((event) => wanted[`${notificationOf(event).type}_toast`]) };
  }
}
