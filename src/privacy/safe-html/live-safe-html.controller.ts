import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ClientSignal } from '../../platform/http/client-signal';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import {
  MessageNotFound,
  ProviderProblems,
  UnreadableProblems,
} from '../../providers/port/mail-provider.errors';
import { MessageIdPipe } from '../../mailbox/messages/dto/messages.dto';
import { SafeHtmlQuery } from './dto/safe-html.dto';
import {
  LiveSafeHtmlResponse,
  SafeHtmlWithImagesResponse,
  toMessageAttachmentResponse,
  toSafeHtmlResponse,
  toSafeHtmlWithImagesResponse,
} from './dto/safe-html.response';
import { LiveSafeHtmlService } from './live-safe-html.service';
import { MailNotRendered } from './safe-html.errors';

@ApiTags('mailbox')
@OperationGroup('mailbox')
@OwnsAccount()
@ProviderProblems()
@Controller('mailbox/:accountId')
export class LiveSafeHtmlController {
  constructor(private readonly safeHtml: LiveSafeHtmlService) {}

  /**
   * Get a live message as safe HTML. Returns it without scripts, remote content and trackers, with its own images, and the
   * list of its files. The mailbox is not changed: an unread message stays unread.
   */
  @Get('messages/:messageId/safe-html')
  @SendsMail('whole')
  @ApiProblems(new MessageNotFound(), new MailNotRendered(undefined))
  @UnreadableProblems()
  async readSafeHtml(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
    @Query() { lang: language }: SafeHtmlQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<LiveSafeHtmlResponse> {
    const { mail, attachments } = await this.safeHtml.render(
      { userId: user.id, accountId, messageId, language },
      signal,
    );
    return { ...toSafeHtmlResponse(mail), attachments: attachments.map(toMessageAttachmentResponse) };
  }

  /**
   * Get a live message with its remote images. The service fetches them now, at most 50 and 10 MiB, and puts them into the
   * document: their hosts learn that the mail was opened, but not by whom. Trackers stay out, private addresses are
   * refused, and nothing is kept or changed.
   */
  @Post('messages/:messageId/remote-images')
  @HttpCode(200)
  @SendsMail('whole')
  @ApiProblems(new MessageNotFound(), new MailNotRendered(undefined))
  @UnreadableProblems()
  async loadRemoteImages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
    @Query() { lang: language }: SafeHtmlQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<SafeHtmlWithImagesResponse> {
    return toSafeHtmlWithImagesResponse(
      await this.safeHtml.renderWithRemoteImages({ userId: user.id, accountId, messageId, language }, signal),
    );
  }
}
