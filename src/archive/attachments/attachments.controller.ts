import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ClientSignal } from '../../platform/http/client-signal';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ProviderProblems } from '../../providers/port/mail-provider.errors';
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
   * List the attachments of archived mail. Includes accounts that are disconnected. Inline images are not listed.
   * `archive/:accountId/attachments/:attachmentId/download` downloads an attachment.
   */
  @Get('archived')
  @ListsRows()
  async listArchivedAttachments(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ArchivedAttachmentsQuery,
  ): Promise<ArchivedAttachmentPageResponse> {
    return toArchivedAttachmentPageResponse(await this.archived.list(user.id, accountId, query), query);
  }

  /**
   * List large attachments in the live mailbox. Files above 100 KB, except in spam and trash. The first request for a
   * mailbox takes a few seconds.
   */
  @Get('live')
  @ProviderProblems()
  async listLiveAttachments(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() { maxResults }: LiveAttachmentsQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<LiveAttachmentsResponse> {
    return toLiveAttachmentsResponse(await this.live.listLarge(user.id, accountId, maxResults, signal));
  }
}
