import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { SendsMail } from '../../../platform/access/mail-answers.interceptor';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { StoreProblems } from '../../files/archive-store.errors';
import { ArchiveTermNotSupported, TooManyMails } from '../../mails/archive.errors';
import { MAX_CHOSEN_MAILS } from '../../mails/dto/chosen-mails.dto';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { setDownloadHeaders } from '../../../platform/http/downloads';
import { LongBody } from '../../../platform/http/json-body.guard';
import { streamTo } from '../../../platform/http/ranged-downloads';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { MailsEncrypted, MailUndecryptable, PassphrasesBusy } from '../../passphrases/encryption.errors';
import { ArchivePassphrase, TakesPassphrase } from '../../passphrases/passphrase-header';
import { PrepareExportDto } from '../dto/prepared-exports.dto';
import { PreparedExportResponse, toPreparedExportResponse } from '../dto/prepared-exports.response';
import { MailDeletedMeanwhile } from '../export.errors';
import { PreparedExportsService } from './prepared-exports.service';

const FILE = { schema: { type: 'string', format: 'binary' } } as const;

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId/exports')
export class PreparedExportsController {
  constructor(private readonly exports: PreparedExportsService) {}

  /**
   * Prepare an export for download. Answers an address that is good for ten minutes: a browser downloads the file from
   * it without holding it in memory. The choice of mails is fixed now; only an mbox file of a filter without conditions has
   * all mails that exist when it is downloaded, in any number. A ZIP takes at most 10,000 mails, an mbox file 50,000.
   * The passphrase of encrypted mails is checked now and kept sealed until the address expires. A user has at most five
   * prepared exports: a further one takes the place of the oldest.
   */
  @Post()
  @LongBody()
  @ApiProblems(
    new ResourceNotFound('mail'),
    new TooManyMails(MAX_CHOSEN_MAILS),
    new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }),
  )
  @TakesPassphrase()
  async prepareExport(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Body() body: PrepareExportDto,
  ): Promise<PreparedExportResponse> {
    const exporter = { userId: user.id, accountId, passphrase };
    return toPreparedExportResponse(await this.exports.prepare(exporter, body));
  }

  /**
   * Download a prepared export. Streams the ZIP or mbox file, as often as it is asked for until it expires. If a mail of it
   * has been deleted meanwhile, prepare it again.
   */
  @Get(':exportId')
  @SendsMail('stream')
  @ApiProduces('application/zip', 'application/mbox')
  @ApiOkResponse({
    description: 'The file',
    content: { 'application/zip': FILE, 'application/mbox': FILE },
  })
  @ApiProblems(
    new ResourceNotFound('export'),
    new ResourceNotFound('mail'),
    new MailsEncrypted(),
    new PassphrasesBusy(),
    new MailUndecryptable(),
    new MailDeletedMeanwhile('01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'),
  )
  @StoreProblems()
  async downloadExport(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('exportId') exportId: string,
    @Res() response: Response,
  ): Promise<void> {
    const { content, ...file } = await this.exports.open({ userId: user.id, accountId }, exportId);
    setDownloadHeaders(response, file);
    return streamTo(response, content);
  }
}
