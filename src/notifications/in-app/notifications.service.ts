import { Injectable } from '@nestjs/common';
import { ResourceNotFound } from '../../common/http/domain-error';
import { offsetOf } from '../../common/http/paging/page.dto';
import type { ListNotificationsQuery } from './list-notifications.dto';
import { NotificationRow, NotificationsRepository } from './notifications.repository';

export interface NotificationPage {
  readonly notifications: readonly NotificationRow[];
  readonly unreadCount: number;
  readonly page: number;
  readonly limit: number;
}

/** What users have been told. */
@Injectable()
export class NotificationsService {
  constructor(private readonly repository: NotificationsRepository) {}

  async list(userId: string, query: ListNotificationsQuery): Promise<NotificationPage> {
    const { page, limit, unread_only: unreadOnly } = query;
    const [notifications, unreadCount] = await Promise.all([
      this.repository.listOwned(userId, { unreadOnly, limit, offset: offsetOf(query) }),
      this.repository.countUnread(userId),
    ]);
    return { notifications, unreadCount, page, limit };
  }

  /** @throws ResourceNotFound */
  async markRead(userId: string, id: string): Promise<void> {
    if (!(await this.repository.markRead(userId, id))) throw new ResourceNotFound('notification');
  }

  /** @returns how many were unread */
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
}
