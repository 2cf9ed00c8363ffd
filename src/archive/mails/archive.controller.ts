import {
  applyDecorators,
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiHeader,
  ApiOkResponse,
  ApiProduces,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { StoreProblems } from '../files/archive-store.errors';
import { ClientSignal } from '../../platform/http/client-signal';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { LongBody } from '../../platform/http/json-body.guard';
import { RangeNotSatisfiable, sendDownload } from '../../platform/http/ranged-downloads';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchivePassphrase, TakesPassphrase } from '../passphrases/passphrase-header';
import { AccountProblems, SearchTermNotSupported } from '../../providers/port/mail-provider.errors';
import { CountMismatch } from '../../platform/http/count-mismatch';
import { SelectionExpired } from '../../mailbox/selections/selections.errors';
import { ArchivedMailsService } from './archived-mails.service';
import { MessageArchivingService } from './archiving/message-archiving.service';
import { ArchiveMailsDto, ListMailsQuery } from './dto/archive.dto';
import {
  ArchiveJobResponse,
  MailPageResponse,
  MailResponse,
  toListedMailResponse,
  toMailResponse,
} from './dto/archive.response';
import { toNotIndexedResponse } from './dto/not-indexed.response';
import { ArchiveTermNotSupported } from './archive.errors';

const FILE = { schema: { type: 'string', format: 'binary' } } as const;
/** Declares range and conditional requests. */
const Ranged = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'The bytes to return (RFC 9110 §14.2), with status 206.',
      example: 'bytes=0-1023',
    }),
    ApiResponse({ status: 304, description: 'Unchanged since the `ETag` in `If-None-Match`' }),
  );

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId')
export class ArchiveController {
  constructor(
    private readonly mails: ArchivedMailsService,
    private readonly archiving: MessageArchivingService,
  ) {}

  /**
   * Archive messages as EML. Starts a job that copies messages into the archive. Takes `messageIds`, a provider
   * `query` or a `selectionId`. With `differential`, messages that are already archived are skipped.
   */
  @Post('archive')
  @LongBody()
  @HttpCode(202)
  @ApiBody({
    type: ArchiveMailsDto,
    examples: {
      query: { value: { query: 'older_than:1y has:attachment', differential: true } },
      messageIds: { value: { messageIds: ['18c2f1a9b3d4e5f6'] } },
    },
  })
  @ApiAcceptedResponse({ type: ArchiveJobResponse })
  @AccountProblems()
  @ApiProblems(new SelectionExpired(), new CountMismatch(1_310), new SearchTermNotSupported('newer_than:2w'))
  archiveMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: ArchiveMailsDto,
  ): Promise<ArchiveJobResponse> {
    return this.archiving.start(user.id, accountId, body);
  }

  /**
   * List and search archived mails, newest first unless sorted. `q` searches subject, sender, recipients, attachment
   * names and text, ignoring case and accents. All words must match; `"phrases"` and `-word` are supported, and the last
   * word may be a prefix.
   */
  @Get('mails')
  @ListsRows()
  @ApiProblems(new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }))
  async listMails(
    @Param('accountId') accountId: string,
    @Query() query: ListMailsQuery,
  ): Promise<MailPageResponse> {
    const { mails, total, archivedUntil, gaps } = await this.mails.list(accountId, query);
    return {
      mails: mails.map(toListedMailResponse),
      total,
      page: query.page,
      limit: query.limit,
      archived_until: archivedUntil,
      not_indexed: gaps && toNotIndexedResponse(gaps),
    };
  }

  /**
   * Get an archived mail. The mail's record with its raw text and attachments. `emlContent` is `null` for encrypted
   * mails and for mails above 25 MiB.
   */
  @Get('mails/:mailId')
  @SendsMail('whole')
  @ApiProblems(new ResourceNotFound('mail'))
  @StoreProblems()
  async getMail(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('mailId') mailId: string,
    @ClientSignal() signal: AbortSignal,
  ): Promise<MailResponse> {
    return toMailResponse(await this.mails.read(user.id, accountId, mailId, signal));
  }

  /**
   * Download an archived mail as EML. The message exactly as the mail provider delivered it. Byte ranges are
   * supported.
   */
  @Get('mails/:mailId/eml')
  @SendsMail('stream')
  @ApiProduces('message/rfc822')
  @ApiOkResponse({ description: 'The message', content: { 'message/rfc822': FILE } })
  @ApiResponse({ status: 206, description: 'The requested range', content: { 'message/rfc822': FILE } })
  @ApiProblems(new ResourceNotFound('mail'), new RangeNotSatisfiable(48_213))
  @StoreProblems()
  @Ranged()
  @TakesPassphrase()
  async downloadEml(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Param('mailId') mailId: string,
    @ClientSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const reader = { userId: user.id, accountId, passphrase };
    return sendDownload(request, response, await this.mails.findEml(reader, mailId, signal));
  }

  /** Download an attachment of an archived mail. The decoded content of the attachment. Byte ranges are supported. */
  @Get('attachments/:attachmentId/download')
  @SendsMail('stream')
  @ApiProduces('application/octet-stream')
  @ApiOkResponse({ description: 'The attachment', content: { 'application/octet-stream': FILE } })
  @ApiResponse({
    status: 206,
    description: 'The requested range',
    content: { 'application/octet-stream': FILE },
  })
  @ApiProblems(new ResourceNotFound('attachment'), new RangeNotSatisfiable(48_213))
  @StoreProblems()
  @Ranged()
  @TakesPassphrase()
  async downloadAttachment(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Param('attachmentId') attachmentId: string,
    @ClientSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const reader = { userId: user.id, accountId, passphrase };
    return sendDownload(request, response, await this.mails.findAttachment(reader, attachmentId, signal));
  }
}
