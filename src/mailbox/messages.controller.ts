import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount, ReadsOnly } from '../access/policies';
import { downloadOf } from '../common/http/downloads';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { MessageNotFound, PartNotFound, ProviderProblems } from '../mail-provider/mail-provider.errors';
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

  /** Address, totals and history cursor of the mailbox. */
  @Get('profile')
  @ApiOperation({ summary: 'Profile of the mailbox' })
  async getProfile(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ProfileResponse> {
    return toProfileResponse(await this.messages.profile(user.id, accountId));
  }

  /**
   * Only ids: `messages/batch` has the metadata of up to 100 of them. `nextPageToken` leads to the next page and is
   * `null` on the last. `q` is a query of the provider.
   */
  @Get('messages')
  @ApiOperation({ summary: 'Ids of messages that match a query' })
  async listMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListMessagesQuery,
  ): Promise<MessagePageResponse> {
    return toMessagePageResponse(await this.messages.list(user.id, accountId, query));
  }

  /** In the order of the request; ids that do not exist are left out. */
  @Post('messages/batch')
  @ReadsOnly()
  @HttpCode(200)
  @ApiOperation({ summary: 'Metadata of up to 100 messages' })
  @ApiOkResponse({ type: [MessageSummaryResponse] })
  async getMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: GetMessagesDto,
  ): Promise<MessageSummaryResponse[]> {
    return (await this.messages.getMany(user.id, accountId, body.ids)).map(toMessageSummaryResponse);
  }

  /** Headers and labels, without the text. */
  @Get('messages/:messageId')
  @ApiOperation({ summary: 'Metadata of one message' })
  @ApiProblems(new MessageNotFound())
  async getMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
  ): Promise<MessageResponse> {
    return toMessageResponse(await this.messages.get(user.id, accountId, messageId));
  }

  /** Headers, parts and attachments as the provider describes them; its format is not ours. */
  @Get('messages/:messageId/full')
  @ApiOperation({ summary: 'One message in full, in the provider’s own format' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiProblems(new MessageNotFound())
  async getFullMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    return this.messages.full(user.id, accountId, messageId);
  }

  /** The decoded content of one part; `partId` is that of the full message. */
  @Get('messages/:messageId/attachments/:partId')
  @ApiOperation({ summary: 'Download of one attachment of a live message' })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiProblems(new MessageNotFound(), new PartNotFound())
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
