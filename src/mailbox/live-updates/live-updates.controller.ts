import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { TooManyStreams } from '../../platform/sse/stream-limit';
import { JobEventResponse } from '../../platform/jobs/dto/job.response';
import { ToastResponse } from '../../notify/notifications/dto/toasts.response';
import { AccountEventResponse } from './dto/account-event.response';
import { LiveUpdatesService } from './live-updates.service';

const SHOWN = [JobEventResponse, ToastResponse, AccountEventResponse];

@ApiTags('notifications')
@OperationGroup('liveUpdates')
@ApiExtraModels(...SHOWN)
@Authenticated()
@Controller('events')
export class LiveUpdatesController {
  constructor(private readonly updates: LiveUpdatesService) {}

  /**
   * Stream jobs, toasts and mailbox accounts as server-sent events. One stream for a page: `job` as in `/api/jobs/events`,
   * `notification` as in `/api/notifications/events`, and `account` with each mailbox account, at first and when it has
   * changed. Only `notification` events have ids. A comment every 15 seconds keeps the connection open. The stream ends with
   * the session.
   */
  @Get()
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'Id of the last event shown, as browsers send it when they reconnect. The toasts since then come first: at most ' +
      'the newest 100 of the last five minutes.',
    schema: { type: 'string', format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4c' },
  })
  @ApiOkResponse({
    description: 'Server-sent events named `job`, `notification` and `account`.',
    content: {
      'text/event-stream': { schema: { oneOf: SHOWN.map((model) => ({ $ref: getSchemaPath(model) })) } },
    },
  })
  @ApiProblems(new TooManyStreams())
  @NotInWebClient('opened as an event stream, by its address')
  stream(
    @CurrentSession() user: SessionUser,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    return this.updates.stream(user, lastEventId ?? null, response);
  }
}
