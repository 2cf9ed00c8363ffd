import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ArchivePassphrase, TakesPassphrase } from '../../archive/encryption/passphrases/passphrase-header';
import { StoreProblems } from '../../archive/store/store-problems';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ClientSignal } from '../../common/http/client-signal';
import { ResourceNotFound } from '../../common/http/domain-error';
import { ApiProblems } from '../../common/openapi/api-problems';
import { AppConfig } from '../../config/app-config';
import { sendSafeMail } from './safe-html-answer';
import { MailNotRendered } from './safe-html.errors';
import { SafeHtmlResponse } from './safe-html.response';
import { SafeHtmlService } from './safe-html.service';

@ApiTags('privacy')
@OwnsAccount()
@Controller('archive/:accountId')
export class SafeHtmlController {
  constructor(
    private readonly safeHtml: SafeHtmlService,
    private readonly config: AppConfig,
  ) {}

  /**
   * The mail without scripts, remote content and trackers, with its own images in it: a document for a sandboxed frame
   * of the application, or JSON that holds it (`Accept: application/json`).
   */
  @Get('mails/:mailId/safe-html')
  @ApiOperation({ summary: 'Read an archived mail as safe HTML' })
  @ApiExtraModels(SafeHtmlResponse)
  @ApiOkResponse({
    description: 'The mail',
    headers: {
      'X-Trackers-Removed': { schema: { type: 'integer' }, description: 'As `trackersRemoved`' },
      'X-Remote-Content-Blocked': { schema: { type: 'integer' }, description: 'As `remoteContentBlocked`' },
    },
    content: {
      'text/html': { schema: { type: 'string' } },
      'application/json': { schema: { $ref: getSchemaPath(SafeHtmlResponse) } },
    },
  })
  @ApiProblems(new ResourceNotFound('mail'), new MailNotRendered(undefined))
  @StoreProblems()
  @TakesPassphrase()
  async readSafeHtml(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Param('mailId') mailId: string,
    @ClientSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const mail = await this.safeHtml.render({ userId: user.id, accountId, passphrase }, mailId, signal);
    sendSafeMail(request, response, mail, new URL(this.config.http.appUrl).origin);
  }
}
