import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../common/auth/policies';
import { ClientSignal } from '../common/http/client-signal';
import { ApiProblems } from '../common/openapi/api-problems';
import { LiveAttachmentsQuery } from './attachments.dto';
import { LiveAttachmentsResponse, toLiveAttachmentsResponse } from './attachments.response';
import { LiveAttachmentsService } from './live-attachments.service';

@ApiTags('attachments')
@OwnsAccount()
@Controller('attachments/:accountId')
export class AttachmentsController {
  constructor(private readonly live: LiveAttachmentsService) {}

  /** Files above 100 KB in the live mailbox, spam and trash left out. The first look at a mailbox takes seconds. */
  @Get('live')
  @ApiOperation({ summary: 'Large attachments in the live mailbox' })
  @ApiProblems(409, 503)
  async listLiveAttachments(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() { maxResults }: LiveAttachmentsQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<LiveAttachmentsResponse> {
    return toLiveAttachmentsResponse(await this.live.large(user.id, accountId, maxResults, signal));
  }
}
