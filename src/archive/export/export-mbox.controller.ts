import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount, ReadsOnly } from '../../platform/access/policies';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { StoreProblems } from '../files/archive-store.errors';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { setDownloadHeaders } from '../../platform/http/downloads';
import { LongBody } from '../../platform/http/json-body.guard';
import { streamTo } from '../../platform/http/ranged-downloads';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchivePassphrase, TakesPassphrase } from '../passphrases/passphrase-header';
import { ExportMboxDto } from './dto/export-mbox.dto';
import { MailDeletedMeanwhile } from './export.errors';
import { exportFilename, MailExportsService } from './mail-exports.service';

@ApiTags('import')
@OperationGroup('import')
@OwnsAccount()
@Controller('import/:accountId')
export class ExportMboxController {
  constructor(private readonly exports: MailExportsService) {}

  /**
   * Export archived mails as mbox. Streams an mboxrd file, oldest mail first by `date`, which the From_ lines have too. Without `mailIds` it contains all
   * archived mails of the account.
   */
  @Post('export-mbox')
  @SendsMail('stream')
  @ReadsOnly()
  @LongBody()
  @HttpCode(200)
  @ApiBody({ type: ExportMboxDto, required: false })
  @ApiProduces('application/mbox')
  @ApiOkResponse({
    description: 'The mbox file',
    content: { 'application/mbox': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiProblems(new ResourceNotFound('mail'), new MailDeletedMeanwhile('01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'))
  @StoreProblems()
  @TakesPassphrase()
  @NotInWebClient('fills the memory of a page; pages use `archive.prepareExport`')
  async exportMbox(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Body() body: ExportMboxDto,
    @Res() response: Response,
  ): Promise<void> {
    const mbox = await this.exports.mbox({ userId: user.id, accountId, passphrase }, body.mailIds ?? null);
    setDownloadHeaders(response, {
      filename: exportFilename('mbox', new Date()),
      mimeType: 'application/mbox',
    });
    return streamTo(response, mbox);
  }
}
