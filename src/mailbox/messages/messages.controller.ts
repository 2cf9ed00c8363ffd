import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount, ReadsOnly } from '../../platform/access/policies';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { ClientSignal } from '../../platform/http/client-signal';
import { downloadOf } from '../../platform/http/downloads';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import {
  MessageNotFound,
  PartNotFound,
  ProviderProblems,
  UnreadableProblems,
} from '../../providers/port/mail-provider.errors';
import { GetMessagesDto, ListMessagesQuery, MessageIdPipe, PartIdPipe } from './dto/messages.dto';
import {
  MessagePageResponse,
  MessageResponse,
  MessageSummaryResponse,
  ProfileResponse,
  toMessagePageResponse,
  toMessageResponse,
  toMessageSummaryResponse,
  toProfileResponse,
} from './dto/messages.response';
import { MessagesService } from './messages.service';

@ApiTags('mailbox')
@OperationGroup('mailbox')
@OwnsAccount()
@ProviderProblems()
@Controller('mailbox/:accountId')
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  /** Get the profile of a mailbox. Address, totals and history cursor. */
  @Get('profile')
  async getProfile(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ProfileResponse> {
    return toProfileResponse(await this.messages.getProfile(user.id, accountId));
  }

  /**
   * List the ids of messages that match a query. `q` is a query in the provider's own language. Only ids are
   * returned; `messages/batch` returns the metadata of up to 100 of them. `nextPageToken` is `null` on the last page.
   */
  @Get('messages')
  async listMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListMessagesQuery,
  ): Promise<MessagePageResponse> {
    return toMessagePageResponse(await this.messages.list(user.id, accountId, query));
  }

  /** Get the metadata of up to 100 messages. They are in the order of the request. Unknown ids are left out. */
  @Post('messages/batch')
  @ReadsOnly()
  @HttpCode(200)
  @ApiOkResponse({ type: [MessageSummaryResponse] })
  async getMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: GetMessagesDto,
  ): Promise<MessageSummaryResponse[]> {
    return (await this.messages.getMany(user.id, accountId, body.ids)).map(toMessageSummaryResponse);
  }

  /** Get the metadata of a message. Headers and labels, without the text. */
  @Get('messages/:messageId')
  @ApiProblems(new MessageNotFound())
  async getMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
  ): Promise<MessageResponse> {
    return toMessageResponse(await this.messages.get(user.id, accountId, messageId));
  }

  /**
   * Get a full message in the provider’s own format. Headers, parts and attachments, in the structure that the
   * provider defines.
   */
  @Get('messages/:messageId/full')
  @SendsMail('whole')
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiProblems(new MessageNotFound())
  @UnreadableProblems()
  @NotInWebClient('the raw structure of the provider; people read safe HTML')
  async getFullMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    return this.messages.getFull(user.id, accountId, messageId);
  }

  /**
   * Download a live message as EML. The message exactly as the mail provider holds it. The mailbox is not changed: an unread
   * message stays unread.
   */
  @Get('messages/:messageId/eml')
  @SendsMail('whole')
  @ApiProduces('message/rfc822')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiProblems(new MessageNotFound())
  @UnreadableProblems()
  async downloadEml(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
    @ClientSignal() signal: AbortSignal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return downloadOf(response, await this.messages.downloadEml(user.id, accountId, messageId, signal));
  }

  /**
   * Download an attachment of a live message. Returns the decoded content of one part. `partId` is the one in the
   * full message, or in the list of files with the safe HTML.
   */
  @Get('messages/:messageId/attachments/:partId')
  @SendsMail('whole')
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiProblems(new MessageNotFound(), new PartNotFound())
  @UnreadableProblems()
  async downloadAttachment(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
    @Param('partId', PartIdPipe) partId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StreamableFile> {
    return downloadOf(response, await this.messages.downloadPart(user.id, accountId, messageId, partId));
  }
}
