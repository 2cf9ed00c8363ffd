import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { SendsMail } from '../access/mail-answers.interceptor';
import { CurrentUser, OwnsAccount } from '../access/policies';
import { ClientSignal } from '../common/http/client-signal';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { MessageNotFound, ProviderProblems } from '../mail-provider/mail-provider.errors';
import { MessageIdPipe } from '../mailbox/dto/messages.dto';
import {
  LiveSafeHtmlResponse,
  toMessageAttachmentResponse,
  toSafeHtmlResponse,
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
   * Get a live message as safe HTML. Without scripts, remote content and trackers, with its own images, and the list of its
   * files. Nothing is changed: an unread message stays unread.
   */
  @Get('messages/:messageId/safe-html')
  @SendsMail('whole')
  @ApiProblems(new MessageNotFound(), new MailNotRendered(undefined))
  async readSafeHtml(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId', MessageIdPipe) messageId: string,
    @ClientSignal() signal: AbortSignal,
  ): Promise<LiveSafeHtmlResponse> {
    const { mail, attachments } = await this.safeHtml.render(user.id, accountId, messageId, signal);
    return { ...toSafeHtmlResponse(mail), attachments: attachments.map(toMessageAttachmentResponse) };
  }
}
