import { Body, Controller, Get, HttpCode, Param, Post, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ReadsOnly } from '../../common/auth/api-key-policies';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { downloadOf } from '../../common/http/downloads';
import { ApiProblems } from '../../common/openapi/api-problems';
import { MessageIdPipe, PartIdPipe } from './message-ids';
import { GetMessagesDto, ListMessagesQuery } from './messages.dto';
import {
  MessagePageResponse,
  MessageResponse,
  MessageSummaryResponse,
  ProfileResponse,
  toMessagePageResponse,
  toMessageResponse,
  toMessageSummaryResponse,
  toProfileResponse,
} from './messages.response';
import { MessagesService } from './messages.service';

@ApiTags('mailbox')
@OwnsAccount()
@ApiProblems(409, 503)
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

  @Get('messages')
  @ApiOperation({ summary: 'Ids of messages that match a query' })
  async listMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListMessagesQuery,
  ): Promise<MessagePageResponse> {
    return toMessagePageResponse(await this.messages.list(user.id, accountId, query));
  }

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

  @Get('messages/:messageId')
  @ApiOperation({ summary: 'Metadata of one message' })
  @ApiProblems(404)
  async getMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
  ): Promise<MessageResponse> {
    return toMessageResponse(await this.messages.get(user.id, accountId, messageId));
  }

  @Get('messages/:messageId/full')
  @ApiOperation({ summary: 'One message in full, in the provider’s own format' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiProblems(404)
  async getFullMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    return this.messages.full(user.id, accountId, messageId);
  }

  @Get('messages/:messageId/attachments/:partId')
  @ApiOperation({ summary: 'Download of one attachment of a live message' })
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  @ApiProblems(404)
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
