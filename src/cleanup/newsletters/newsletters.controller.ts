import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiParam, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ProviderProblems } from '../../providers/port/mail-provider.errors';
import { DeleteNewslettersDto, ListNewslettersQuery, SenderAddressPipe } from './dto/newsletters.dto';
import {
  NewsletterDeletionResponse,
  NewsletterMessagesResponse,
  NewsletterResponse,
  NewsletterScanResponse,
  toNewsletterDeletionResponse,
  toNewsletterMessagesResponse,
  toNewsletterResponse,
} from './dto/newsletters.response';
import { NewslettersService } from './newsletters.service';

const SenderEmail = (): MethodDecorator =>
  ApiParam({
    name: 'senderEmail',
    description: 'Address of the sender, matched exactly and in any case',
    schema: { type: 'string', example: 'news@shop.example' },
  });

@ApiTags('newsletters')
@OperationGroup('newsletters')
@OwnsAccount()
@ProviderProblems()
@Controller('unsubscribe/:accountId')
export class NewslettersController {
  constructor(private readonly newsletters: NewslettersService) {}

  /**
   * Scan the whole mailbox for newsletters. Starts a job that reads the headers of all messages, so that the list is
   * complete.
   */
  @Post('scan')
  @HttpCode(202)
  scan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<NewsletterScanResponse> {
    return this.newsletters.scan(user.id, accountId);
  }

  /**
   * List newsletter senders, most messages first. Covers all messages whose headers have been read so far, at least
   * the newest 2,000.
   */
  @Get('newsletters')
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListNewslettersQuery,
  ): Promise<NewsletterResponse[]> {
    return (await this.newsletters.list(user.id, accountId, query.limit)).map(toNewsletterResponse);
  }

  /**
   * List the newsletters of a sender. All messages from the address with a List-Unsubscribe header, except spam and
   * trash. Messages without that header, such as order confirmations, are not newsletters.
   */
  @Get('newsletters/:senderEmail/messages')
  @SenderEmail()
  async listMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('senderEmail', SenderAddressPipe) senderEmail: string,
  ): Promise<NewsletterMessagesResponse> {
    return toNewsletterMessagesResponse(
      await this.newsletters.listMessagesOf(user.id, accountId, senderEmail),
    );
  }

  /**
   * Trash or delete the newsletters of a sender. Starts a job that deletes exactly the messages in the list of the
   * sender's newsletters, but for those with a mark of `leaveOut`.
   */
  @Post('newsletters/:senderEmail/delete')
  @HttpCode(202)
  @SenderEmail()
  @ApiBody({ type: DeleteNewslettersDto, required: false })
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('senderEmail', SenderAddressPipe) senderEmail: string,
    @Body() body: DeleteNewslettersDto,
  ): Promise<NewsletterDeletionResponse> {
    return toNewsletterDeletionResponse(await this.newsletters.delete(user.id, accountId, senderEmail, body));
  }
}
