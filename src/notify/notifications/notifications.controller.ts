import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ListNotificationsQuery } from './dto/notifications.dto';
import {
  NotificationPageResponse,
  NotificationReadResponse,
  NotificationsOkResponse,
  NotificationsReadResponse,
  toNotificationPageResponse,
} from './dto/notifications.response';
import { NotificationsService } from './notifications.service';

@ApiTags('notifications')
@OperationGroup('notifications')
@Authenticated()
@OpenToApiKeys()
@Controller('notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  /**
   * List your notifications, newest first. `unreadCount` counts all unread notifications, not only those of the page.
   */
  @Get()
  @ListsRows()
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListNotificationsQuery,
  ): Promise<NotificationPageResponse> {
    return toNotificationPageResponse(await this.notifications.list(user.id, query));
  }

  /** Mark all notifications as read. Returns how many of them were unread. */
  @Post('read-all')
  @HttpCode(200)
  async markAllRead(@CurrentUser() user: AuthenticatedUser): Promise<NotificationsReadResponse> {
    return { updated: await this.notifications.markAllRead(user.id) };
  }

  /** Delete all read notifications. Unread notifications are kept. */
  @Delete()
  async deleteRead(@CurrentUser() user: AuthenticatedUser): Promise<NotificationsOkResponse> {
    await this.notifications.deleteRead(user.id);
    return { ok: true };
  }

  /** Mark a notification as read. Repeating the request has no effect. */
  @Patch(':notificationId/read')
  @ApiProblems(new ResourceNotFound('notification'))
  async markRead(
    @CurrentUser() user: AuthenticatedUser,
    @Param('notificationId') notificationId: string,
  ): Promise<NotificationReadResponse> {
    await this.notifications.markRead(user.id, notificationId);
    return { success: true };
  }

  /** Delete a notification. Read or unread. */
  @Delete(':notificationId')
  @ApiProblems(new ResourceNotFound('notification'))
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('notificationId') notificationId: string,
  ): Promise<NotificationsOkResponse> {
    await this.notifications.delete(user.id, notificationId);
    return { ok: true };
  }
}
