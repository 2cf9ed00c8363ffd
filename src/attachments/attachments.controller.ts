import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../access/policies';
import { ClientSignal } from '../common/http/client-signal';
import { OperationGroup } from '../common/openapi/operation-group';
import { ProviderProblems } from '../mail-provider/mail-provider.errors';
import { ArchivedAttachmentsService } from './archived-attachments.service';
import { ArchivedAttachmentsQuery, LiveAttachmentsQuery } from './dto/attachments.dto';
import {
  ArchivedAttachmentPageResponse,
  LiveAttachmentsResponse,
  toArchivedAttachmentPageResponse,
  toLiveAttachmentsResponse,
} from './dto/attachments.response';
import { LiveAttachmentsService } from './live-attachments.service';

@ApiTags('attachments')
@OperationGroup('attachments')
@OwnsAccount()
@Controller('attachments/:accountId')
export class AttachmentsController {
  constructor(
    private readonly live: LiveAttachmentsService,
    private readonly archived: ArchivedAttachmentsService,
  ) {}

  /**
   * Every file in the archived mail of an account, whether the account is still connected or not; images shown inside
   * the text are no files. `archive/:accountId/attachments/:attachmentId/download` downloads one.
   */
  @Get('archived')
  @ApiOperation({ summary: 'Attachments of archived mail' })
  async listArchivedAttachments(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ArchivedAttachmentsQuery,
  ): Promise<ArchivedAttachmentPageResponse> {
    return toArchivedAttachmentPageResponse(await this.archived.list(user.id, accountId, query), query);
  }

  /** Files above 100 KB in the live mailbox, spam and trash left out. The first look at a mailbox takes seconds. */
  @Get('live')
  @ApiOperation({ summary: 'Large attachments in the live mailbox' })
  @ProviderProblems()
  async listLiveAttachments(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() { maxResults }: LiveAttachmentsQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<LiveAttachmentsResponse> {
    return toLiveAttachmentsResponse(await this.live.large(user.id, accountId, maxResults, signal));
  }
}
