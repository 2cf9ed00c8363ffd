import { Injectable } from '@nestjs/common';
import { deleteInBatches } from '../../platform/database/base.repository';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { offsetOf } from '../../platform/validation/page.dto';
import type { ListNotificationsQuery } from './dto/notifications.dto';
import { NotificationRow, NotificationsRepository } from './notifications.repository';

export interface NotificationPage {
  readonly notifications: readonly NotificationRow[];
  readonly unreadCount: number;
  readonly page: number;
  readonly limit: number;
}

const DAY_MS = 86_400_000;
const KEPT_DAYS = 90;

/** Notifications in the application. */
@Injectable()
export class NotificationsService {
  constructor(private readonly repository: NotificationsRepository) {}

  async list(userId: string, query: ListNotificationsQuery): Promise<NotificationPage> {
    const { page, limit, unread_only: unreadOnly } = query;
    const slice = { unreadOnly, limit, offset: offsetOf(query) };
    const { notifications, unread: unreadCount } = await this.repository.findOwnedPage(userId, slice);
    return { notifications, unreadCount, page, limit };
  }

  /** @throws ResourceNotFound */
  async markRead(userId: string, id: string): Promise<void> {
    if (!(await this.repository.markRead(userId, id))) throw new ResourceNotFound('notification');
  }

  /** @returns number that were unread */
  async markAllRead(userId: string): Promise<number> {
    return this.repository.markAllRead(userId);
  }

  /** @throws ResourceNotFound */
  async delete(userId: string, id: string): Promise<void> {
    if (!(await this.repository.deleteOwned(userId, id))) throw new ResourceNotFound('notification');
  }

  async deleteRead(userId: string): Promise<void> {
    await this.repository.deleteRead(userId);
  }

  /** Deletes read notifications of all users that are older than 90 days, in batches. @returns how many */
  deleteOld(now = new Date()): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
    return deleteInBatches((limit) => this.repository.deleteReadBefore(before, limit));
  }
}
