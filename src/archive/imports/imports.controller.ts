import { Body, Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ValidationFailed } from '../../platform/http/domain-error';
import { StreamedBody } from '../../platform/http/json-body.guard';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import {
  toTransferForecast,
  TransferForecastResponse,
} from '../../mailbox/connect/dto/transfer-forecast.response';
import { ClientSignal } from '../../platform/http/client-signal';
import { ImapServerFailure } from '../../providers/imap/one-time/imap-server-failure';
import { SHARE_OF_IMPORTS } from './imap/import-forecast';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ImportImapDto } from './dto/imports.dto';
import { ImportImapResponse, ImportJobResponse } from './dto/imports.response';
import { ImapImportsService } from './imap/imap-imports.service';
import { ImportUploadsService } from './import-uploads.service';
import {
  ImportServerFailed,
  MultipartExpected,
  TooManyUploads,
  UploadOverQuota,
  UploadSpaceExhausted,
  UploadStalled,
  UploadTooLarge,
} from './imports.errors';
import { ImportMbox } from './files/import-mbox.job';

const MULTIPART = {
  schema: {
    type: 'object',
    required: ['file'],
    properties: {
      file: {
        type: 'string',
        format: 'binary',
        description:
          'An mbox file of any dialect, a message (EML, MSG), a data file of Outlook (PST, OST), or a ZIP, tar or gzip archive of these, e.g. Google Takeout',
      },
    },
  },
} as const;

const SERVER_FAILURES = (['imap-host-unreachable', 'imap-unavailable'] as const).map(
  (problem) => new ImportServerFailed(new ImapServerFailure(problem)),
);

@ApiTags('import')
@OperationGroup('import')
@OwnsAccount()
@Controller('import/:accountId')
export class ImportsController {
  constructor(
    private readonly uploads: ImportUploadsService,
    private readonly imapImports: ImapImportsService,
  ) {}

  /**
   * Import a file into the archive. Taken are mbox files of any dialect, single messages (EML, Apple Mail's `.emlx`), files of Outlook
   * (MSG, PST, OST), and ZIP, tar and gzip archives of these: Google Takeout as downloaded, Maildir and Maildir++, MH, Thunderbird's
   * profile, Apple Mail's packages and store, up to six archives within each other. What a file is, is read from its
   * content, never from its name. Folders of an archive become labels, and the states that mail programs note beside their
   * messages are kept.
   *
   * Answers when the upload is complete; a job then imports the file. In its `result`, `items` is everything that was found: the
   * sum of `imported`, `duplicates` (the same bytes, or the same Message-ID and content, are in the archive), `failed` (named in
   * `failures`) and all counts of `leftOut`, which are by reason: `deleted` (deleted in the mail program whose folder it is),
   * `folderData` (entries in which a program keeps data of the folder), `notMail`, `programData`, `emptyFile` and
   * `linkOrDevice`, and for items of Outlook `contact`, `calendar`, `task`, `note`, `journal` and `otherItem`; `leftOutNames` has the names of the
   * first 25 items of each reason. Further counts are `sameIdDifferent` (imported although another message has the Message-ID), `formats`
   * (messages by format), `statesNotKept` (states that the archive has no place for), `separators` (lines that began a message
   * of an mbox file) and `fromLinesInText` (lines that begin with `From ` and were taken for text). `deleted` and `folderData`
   * stand beside `leftOut` as well. A file that holds no mail fails its job before anything is written, with the code
   * `not-an-mbox-file`, `no-mail-in-archive`, `archive-unreadable` or `outlook-file-unreadable`; with `outlook-reader-missing`
   * the server lacks what reads PST and OST files.
   *
   * Mail of Outlook files is rebuilt: it is not the bytes that were sent, and has `rebuilt_from`.
   *
   * At most two uploads of a user can wait for the end of their import, together half as large again as the room in the
   * storage quota; the kept files of failed imports give way to a new one.
   */
  @Post('mbox')
  @StreamedBody()
  @HttpCode(202)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: MULTIPART.schema as never })
  @ApiAcceptedResponse({ type: ImportJobResponse })
  @ApiProblems(
    new UploadStalled(),
    new UploadTooLarge(50 * 1024 ** 3),
    new UploadOverQuota(),
    new TooManyUploads(2),
    new MultipartExpected(),
    new UploadSpaceExhausted(),
    new ValidationFailed([{ field: 'file', message: 'file is required' }]),
  )
  @NotInWebClient('one request; pages send files in chunks that can be resumed')
  importMbox(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Req() request: Request,
  ): Promise<ImportJobResponse> {
    return this.uploads.start(request, ImportMbox, { userId: user.id, accountId });
  }

  /**
   * Import a folder from an IMAP server. Starts a job that copies the folder into the archive. Nothing on the server
   * changes. The job's `result` counts `imported`, `duplicates` (the same bytes, or the same Message-ID and content, are
   * in the archive), `sameIdDifferent` (imported although another message has the Message-ID) and `failed`.
   */
  @Post('imap')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: ImportImapResponse })
  importImap(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: ImportImapDto,
  ): Promise<ImportImapResponse> {
    return this.imapImports.start(user.id, accountId, body);
  }

  /**
   * Forecast the import of a folder from an IMAP server. Logs in with the body of the import and starts nothing. Where the
   * provider limits what a day or a folder has for mail programs (Gmail, Yahoo, AOL), the messages are counted, their sizes are
   * estimated by a sample, and `completesOn` is the day on which the last will have been imported. The bytes that others have
   * read of the mailbox are not known: they are taken for none. Of other servers `messages` and `bytes` are null.
   */
  @Post('imap/forecast')
  @HttpCode(200)
  @ApiProblems(...SERVER_FAILURES)
  async forecastImap(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') _accountId: string,
    @Body() body: ImportImapDto,
    @ClientSignal() signal: AbortSignal,
  ): Promise<TransferForecastResponse> {
    const forecast = await this.imapImports.forecast(user.id, body, signal);
    return toTransferForecast({ ...forecast, isApproximate: forecast.messages !== null }, SHARE_OF_IMPORTS);
  }
}
