import { Injectable } from '@nestjs/common';
import { RedisBroadcast } from '../../platform/redis/redis-broadcast';

const ofUser = (userId: string): string => `accounts:user:${userId}`;

/** Says from process to process that a user's accounts have changed. Messages may be lost: the table is the truth. */
@Injectable()
export class AccountUpdates {
  constructor(private readonly broadcast: RedisBroadcast) {}

  publish(userId: string): void {
    this.broadcast.publish(ofUser(userId), true);
  }

  /** Calls `listener` after every change, until the returned function is called. */
  listen(userId: string, listener: () => void): Promise<() => void> {
    return this.broadcast.listen(ofUser(userId), listener);
  }
}
