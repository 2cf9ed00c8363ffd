import { Body, Controller, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { CurrentUser, OwnsAccount, ReadsOnly } from '../access/policies';
import { SendsMail } from '../access/mail-answers.interceptor';
import { StoreProblems } from '../archive-storage/archive-store.errors';
import { ResourceNotFound } from '../common/http/domain-error';
import { setDownloadHeaders } from '../common/http/downloads';
import { LongBody } from '../common/http/json-body.guard';
import { streamTo } from '../common/http/ranged-downloads';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { ArchivePassphrase, TakesPassphrase } from '../encryption/passphrase-header';
import { ExportZipDto, ExportZipQuery } from './dto/export.dto';
import { exportFilename, MailExportsService } from './mail-exports.service';

@ApiTags('archive')
@OperationGroup('archive')
@OwnsAccount()
@Controller('archive/:accountId')
export class ExportController {
  constructor(private readonly exports: MailExportsService) {}

  /** Export archived mails as ZIP. Streams a ZIP of EML files and a manifest with their SHA-256 hashes. */
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
}
