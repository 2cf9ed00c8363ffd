import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount, ReadsOnly } from '../../platform/access/policies';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { StoreProblems } from '../files/archive-store.errors';
import { TooManyMails } from '../mails/archive.errors';
import { MAX_SELECTED_MAILS } from '../mails/selections/mail-selections.service';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { setDownloadHeaders } from '../../platform/http/downloads';
import { LongBody } from '../../platform/http/json-body.guard';
import { streamTo } from '../../platform/http/ranged-downloads';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchivePassphrase, TakesPassphrase } from '../passphrases/passphrase-header';
import { ExportZipDto, ExportZipQuery } from './dto/export.dto';
import { ExportMailboxDto } from './dto/export-mailbox.dto';
import { MailboxExportsService } from './mailbox/mailbox-exports.service';
import { exportFilename, MailExportsService } from './mail-exports.service';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId')
export class ExportController {
  constructor(
    private readonly exports: MailExportsService,
    private readonly mailboxes: MailboxExportsService,
  ) {}

  /**
   * Export archived mails as ZIP. Streams a ZIP of EML files, named by the `date` of the mails, and a manifest with their SHA-256
   * hashes.
   */
  @Post('export-zip')
  @SendsMail('stream')
  @ReadsOnly()
  @LongBody()
  @HttpCode(200)
  @ApiProduces('application/zip')
  @ApiOkResponse({
    description: 'The ZIP',
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems(new ResourceNotFound('mail'))
  @StoreProblems()
  @TakesPassphrase()
  @NotInWebClient('fills the memory of a page; pages use `archive.prepareExport`')
  async exportZip(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Body() body: ExportZipDto,
    @Query() query: ExportZipQuery,
    @Res() response: Response,
  ): Promise<void> {
    const zip = await this.exports.zip({ userId: user.id, accountId, passphrase }, body.mailIds, {
      compress: query.compress ?? false,
    });
    setDownloadHeaders(response, {
      filename: exportFilename('zip', new Date()),
      mimeType: 'application/zip',
    });
    return streamTo(response, zip);
  }

  /**
   * Export archived mails as a mailbox that other programs read. Streams a ZIP with a Maildir++ tree or mbox files, and
   * `labels.json`, which has the labels, size and SHA-256 of each mail. Every byte of a message is as it was archived. At
   * most 100,000 mails.
   */
  @Post('export-mailbox')
  @SendsMail('stream')
  @ReadsOnly()
  @LongBody()
  @HttpCode(200)
  @ApiProduces('application/zip')
  @ApiOkResponse({
    description: 'The ZIP',
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems(new ResourceNotFound('mail'), new TooManyMails(MAX_SELECTED_MAILS))
  @StoreProblems()
  @TakesPassphrase()
  @NotInWebClient(
    'a Maildir for other programs, which a page would have to hold in memory: `curl`, see docs/restore.md',
  )
  async exportMailbox(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Body() body: ExportMailboxDto,
    @Res() response: Response,
  ): Promise<void> {
    const exporter = { userId: user.id, accountId, passphrase };
    const zip = await this.mailboxes.zip(exporter, body.select, body.format);
    setDownloadHeaders(response, {
      filename: exportFilename(`${body.format}.zip`, new Date()),
      mimeType: 'application/zip',
    });
    return streamTo(response, zip);
  }
}
