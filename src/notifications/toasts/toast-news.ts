import { Injectable } from '@nestjs/common';
import { LiveNews } from '../../common/redis/live-news';

const ofUser = (userId: string): string => `events:user:${userId}`;

/** That something has happened to a user, from the process that recorded it to those that show it. */
@Injectable()
export class ToastNews {
  constructor(private readonly news: LiveNews) {}

  publish(userId: string, eventId: string): void {
    this.news.publish(ofUser(userId), eventId);
  }

  /** Calls `listener` for every event of the user, until the returned function is called. */
  listen(userId: string, listener: () => void): Promise<() => void> {
    return this.news.listen(ofUser(userId), listener);
  }
}
