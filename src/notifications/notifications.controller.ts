import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
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

  /** `unreadCount` is that of all notifications, whatever the page. */
  @Get()
  @ApiOperation({ summary: 'Notifications of the caller, newest first' })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListNotificationsQuery,
  ): Promise<NotificationPageResponse> {
    return toNotificationPageResponse(await this.notifications.list(user.id, query));
  }

  /** Says how many of them were unread. */
  @Post('read-all')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark all notifications as read' })
  async markAllRead(@CurrentUser() user: AuthenticatedUser): Promise<NotificationsReadResponse> {
    return { updated: await this.notifications.markAllRead(user.id) };
  }

  /** Unread ones are kept. */
  @Delete()
  @ApiOperation({ summary: 'Delete the notifications that are read' })
  async deleteRead(@CurrentUser() user: AuthenticatedUser): Promise<NotificationsOkResponse> {
    await this.notifications.deleteRead(user.id);
    return { ok: true };
  }

  /** Repeating it is fine. */
  @Patch(':notificationId/read')
  @ApiOperation({ summary: 'Mark a notification as read' })
  @ApiProblems(new ResourceNotFound('notification'))
  async markRead(
    @CurrentUser() user: AuthenticatedUser,
    @Param('notificationId') notificationId: string,
  ): Promise<NotificationReadResponse> {
    await this.notifications.markRead(user.id, notificationId);
    return { success: true };
  }

  /** Read or unread. */
  @Delete(':notificationId')
  @ApiOperation({ summary: 'Delete a notification' })
  @ApiProblems(new ResourceNotFound('notification'))
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('notificationId') notificationId: string,
  ): Promise<NotificationsOkResponse> {
    await this.notifications.delete(user.id, notificationId);
    return { ok: true };
  }
}
