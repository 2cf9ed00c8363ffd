import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OpenToApiKeys } from '../../common/auth/api-key-policies';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { Authenticated, CurrentUser } from '../../common/auth/policies';
import { ApiProblems } from '../../common/openapi/api-problems';
import { ListNotificationsQuery } from './list-notifications.dto';
import {
  NotificationPageResponse,
  NotificationReadResponse,
  NotificationsOkResponse,
  NotificationsReadResponse,
  toNotificationPageResponse,
} from './notification.response';
import { NotificationsService } from './notifications.service';

@ApiTags('notifications')
@Authenticated()
@OpenToApiKeys()
@Controller('notifications')
export class NotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get()
  @ApiOperation({ summary: 'Notifications of the caller, newest first' })
  @ApiProblems(400)
  async listNotifications(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListNotificationsQuery,
  ): Promise<NotificationPageResponse> {
    return toNotificationPageResponse(await this.notifications.list(user.id, query));
  }

  @Post('read-all')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark all notifications as read' })
  async markAllNotificationsRead(@CurrentUser() user: AuthenticatedUser): Promise<NotificationsReadResponse> {
    return { updated: await this.notifications.markAllRead(user.id) };
  }

  @Delete()
  @ApiOperation({ summary: 'Delete the notifications that are read' })
  async deleteReadNotifications(@CurrentUser() user: AuthenticatedUser): Promise<NotificationsOkResponse> {
    await this.notifications.deleteRead(user.id);
    return { ok: true };
  }

  @Patch(':notificationId/read')
  @ApiOperation({ summary: 'Mark a notification as read' })
  @ApiProblems(400, 404)
  async markNotificationRead(
    @CurrentUser() user: AuthenticatedUser,
    @Param('notificationId') notificationId: string,
  ): Promise<NotificationReadResponse> {
    await this.notifications.markRead(user.id, notificationId);
    return { success: true };
  }

  @Delete(':notificationId')
  @ApiOperation({ summary: 'Delete a notification' })
  @ApiProblems(400, 404)
  async deleteNotification(
    @CurrentUser() user: AuthenticatedUser,
    @Param('notificationId') notificationId: string,
  ): Promise<NotificationsOkResponse> {
    await this.notifications.delete(user.id, notificationId);
    return { ok: true };
  }
}
