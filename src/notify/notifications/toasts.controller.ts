import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { TooManyStreams } from '../../platform/sse/stream-limit';
import { ToastResponse } from './dto/toasts.response';
import { ToastStreams } from './toast-streams';

@ApiTags('notifications')
@OperationGroup('notifications')
@ApiExtraModels(ToastResponse)
@Authenticated()
@OpenToApiKeys()
@Controller('notifications/events')
export class ToastsController {
  constructor(private readonly streams: ToastStreams) {}

  /**
   * Stream toasts as server-sent events. Sends the events that the `_toast` preferences allow. A comment every 15
   * seconds keeps the connection open. The stream ends with the session.
   */
  @Get()
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'Id of the last event shown, as browsers send it when they reconnect. The events since then come first: at most ' +
      'the newest 100 of the last five minutes.',
    schema: { type: 'string', format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c' },
  })
  @ApiOkResponse({
    description: 'Server-sent events named `notification`, each with the id of its event.',
    content: { 'text/event-stream': { schema: { $ref: getSchemaPath(ToastResponse) } } },
  })
  @ApiProblems(new TooManyStreams())
  @NotInWebClient('part of the one stream of live updates')
  streamToasts(
    @CurrentUser() user: AuthenticatedUser,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.stream(user, lastEventId ?? null, response);
  }
}
