import { Injectable } from '@nestjs/common';
import { inBatches } from '../../common/database/in-batches';
import { NotificationsRepository } from './notifications.repository';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;

/** Notifications that have been read and are past their use. */
@Injectable()
export class OldNotifications {
  constructor(private readonly repository: NotificationsRepository) {}

  /** Removes the read ones of all users that are older than 90 days, in batches. @returns how many */
  remove(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return inBatches((limit) => this.repository.deleteReadBefore(before, limit));
  }
}
