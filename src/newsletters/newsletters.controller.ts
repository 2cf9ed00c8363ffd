import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { ProviderProblems } from '../mail-provider/mail-provider.errors';
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

  /** Starts a job that reads the headers of the whole mailbox, so that the list is complete. */
  @Post('scan')
  @HttpCode(202)
  @ApiOperation({ summary: 'Look through the whole mailbox for newsletters' })
  scan(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<NewsletterScanResponse> {
    return this.newsletters.scan(user.id, accountId);
  }

  /** From the messages whose headers have been read so far, the newest 2,000 at least. */
  @Get('newsletters')
  @ApiOperation({ summary: 'Senders of newsletters, those with most messages first' })
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListNewslettersQuery,
  ): Promise<NewsletterResponse[]> {
    return (await this.newsletters.list(user.id, accountId, query.limit)).map(toNewsletterResponse);
  }

  /** All messages of the address with a List-Unsubscribe header, spam and trash aside. What it sends without one, an
   * order confirmation for example, is no newsletter. */
  @Get('newsletters/:senderEmail/messages')
  @ApiOperation({ summary: 'Newsletters of one sender' })
  @SenderEmail()
  async listMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('senderEmail', SenderAddressPipe) senderEmail: string,
  ): Promise<NewsletterMessagesResponse> {
    return toNewsletterMessagesResponse(await this.newsletters.messagesOf(user.id, accountId, senderEmail));
  }

  /** Starts a job that deletes exactly the messages the list of the sender's newsletters has. */
  @Post('newsletters/:senderEmail/delete')
  @HttpCode(202)
  @ApiOperation({ summary: 'Trash or delete the newsletters of one sender' })
  @SenderEmail()
  @ApiBody({ type: DeleteNewslettersDto, required: false })
  async delete(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('senderEmail', SenderAddressPipe) senderEmail: string,
    @Body() body: DeleteNewslettersDto,
  ): Promise<NewsletterDeletionResponse> {
    return toNewsletterDeletionResponse(
      await this.newsletters.delete(user.id, accountId, senderEmail, body.permanent),
    );
  }
}
