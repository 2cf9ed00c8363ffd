import { Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { SendsMail } from '../../platform/access/mail-answers.interceptor';
import { StoreProblems } from '../../archive/files/archive-store.errors';
import { ClientSignal } from '../../platform/http/client-signal';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AppConfig } from '../../platform/config/app-config';
import { ArchivePassphrase, TakesPassphrase } from '../../archive/passphrases/passphrase-header';
import { SafeHtmlQuery } from './dto/safe-html.dto';
import {
  SafeHtmlResponse,
  SafeHtmlWithImagesResponse,
  toSafeHtmlResponse,
  toSafeHtmlWithImagesResponse,
} from './dto/safe-html.response';
import { DOCUMENT_POLICY } from './rendering/document';
import type { SafeMail } from './rendering/render-mail';
import { MailNotRendered } from './safe-html.errors';
import { SafeHtmlService } from './safe-html.service';

/** Policy by which the document can only be shown in a frame of the application, even if the sanitiser had a hole. */
function framePolicy(appOrigin: string): string {
  return [
    DOCUMENT_POLICY,
    `frame-ancestors ${appOrigin}`,
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}

/** Answers with the document, or with JSON when the client prefers it. @param appOrigin may frame the document */
export function sendSafeMail(request: Request, response: Response, mail: SafeMail, appOrigin: string): void {
  response.vary('Accept');
  response.setHeader('X-Trackers-Removed', mail.trackers.length);
  response.setHeader('X-Remote-Content-Blocked', mail.remoteContentBlocked);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Content-Security-Policy', framePolicy(appOrigin));
  // `frame-ancestors` says which pages may frame it; SAMEORIGIN would contradict it where the application has another origin.
  response.removeHeader('X-Frame-Options');
  // Browsers refuse to open a sandboxed document in a separate tab together with this header (HTML, "cross-origin
  // opener policy"); in its sandbox it has no origin anyway.
  response.removeHeader('Cross-Origin-Opener-Policy');
  if (request.accepts(['text/html', 'application/json']) === 'application/json') {
    response.json(toSafeHtmlResponse(mail));
    return;
  }
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  // The length is set here for `HEAD` too: Node counts only the bytes it sends.
  response.setHeader('Content-Length', mail.html.byteLength);
  response.end(Buffer.from(mail.html.buffer, mail.html.byteOffset, mail.html.byteLength));
}

@ApiTags('privacy')
@OperationGroup('privacy')
@OwnsAccount()
@Controller('archive/:accountId')
export class SafeHtmlController {
  constructor(
    private readonly safeHtml: SafeHtmlService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Get an archived mail as safe HTML. Returns the mail without scripts, remote content and trackers, with its own images: a
   * document for a sandboxed frame, or JSON that contains it (`Accept: application/json`).
   */
  @Get('mails/:mailId/safe-html')
  @SendsMail('whole')
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
    @Query() { lang: language }: SafeHtmlQuery,
    @ClientSignal() signal: AbortSignal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const mail = await this.safeHtml.render(
      { userId: user.id, accountId, passphrase, language },
      mailId,
      signal,
    );
    sendSafeMail(request, response, mail, new URL(this.config.http.appUrl).origin);
  }

  /**
   * Get an archived mail with its remote images. The service fetches them now, at most 50 and 10 MiB, and puts them into the
   * document: their hosts learn that the mail was opened, but not by whom. Trackers stay out, private addresses are
   * refused, and nothing is kept.
   */
  @Post('mails/:mailId/remote-images')
  @HttpCode(200)
  @SendsMail('whole')
  @ApiProblems(new ResourceNotFound('mail'), new MailNotRendered(undefined))
  @StoreProblems()
  @TakesPassphrase()
  async loadRemoteImages(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Param('mailId') mailId: string,
    @Query() { lang: language }: SafeHtmlQuery,
    @ClientSignal() signal: AbortSignal,
  ): Promise<SafeHtmlWithImagesResponse> {
    const reader = { userId: user.id, accountId, passphrase, language };
    return toSafeHtmlWithImagesResponse(await this.safeHtml.renderWithRemoteImages(reader, mailId, signal));
  }
}
