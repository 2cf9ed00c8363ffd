import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AccountNotOwned } from '../../platform/access/access.errors';
import { type AuthenticatedUser, boundAccountsOf } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { setDownloadHeaders } from '../../platform/http/downloads';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { LongBody } from '../../platform/http/json-body.guard';
import { streamTo } from '../../platform/http/ranged-downloads';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ArchivePassphrase, TakesPassphrase } from '../../archive/passphrases/passphrase-header';
import { AccountProblems } from '../../providers/port/mail-provider.errors';
import { ListRestoreItemsQuery, ListRestoresQuery, PlanRestoreDto } from './dto/restore.dto';
import {
  RestoreItemsResponse,
  RestoreJobResponse,
  RestorePageResponse,
  RestoreResponse,
  reportLines,
  toRestoreItem,
  toRestoreResponse,
  toRestoreSummary,
} from './dto/restore.response';
import { DryRunMissing, RestoreDone, RestoreRunning } from './restore.errors';
import { RestoresService } from './restores.service';
import { ArchiveTermNotSupported } from '../../archive/mails/archive.errors';

const REPORT_LINE =
  '{"position":0,"mailId":"01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d","state":"done","outcome":"inserted","notes":[]}\n';

@ApiTags('restore')
@OperationGroup('restore')
@OwnsAccount()
@Controller('restore/:accountId')
export class RestoreController {
  constructor(private readonly restores: RestoresService) {}

  /**
   * Plan a restore. Starts a dry run, which counts the archived mails that would be put back into their mailbox, into another
   * one of yours, or onto an IMAP server, and the labels that would be created. Nothing changes until it is started, for
   * which there are 24 hours. At most 100,000 mails.
   */
  @Post()
  @LongBody()
  @HttpCode(202)
  @AccountProblems()
  @ApiProblems(
    new ResourceNotFound('mail'),
    new AccountNotOwned(),
    new ArchiveTermNotSupported('newer_than:2w', { offset: 8, length: 13 }),
  )
  planRestore(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: PlanRestoreDto,
  ): Promise<RestoreJobResponse> {
    return this.restores.plan({ userId: user.id, accountId }, body, boundAccountsOf(user));
  }

  /** List the restores of an archive, newest first. Those that expired more than 90 days ago are gone. */
  @Get()
  @ListsRows()
  async listRestores(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListRestoresQuery,
  ): Promise<RestorePageResponse> {
    const { items, next } = await this.restores.list({ userId: user.id, accountId }, query);
    return { items: items.map(toRestoreSummary), next };
  }

  /** Get a restore. The counts of its dry run, and its progress. */
  @Get(':restoreId')
  @ListsRows()
  @ApiProblems(new ResourceNotFound('restore'))
  async getRestore(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('restoreId') restoreId: string,
  ): Promise<RestoreResponse> {
    return toRestoreResponse(await this.restores.describe({ userId: user.id, accountId }, restoreId));
  }

  /** List the mails of a restore, oldest first. Each with its outcome, once it has one. */
  @Get(':restoreId/items')
  @ListsRows()
  @ApiProblems(new ResourceNotFound('restore'))
  async listRestoreItems(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('restoreId') restoreId: string,
    @Query() query: ListRestoreItemsQuery,
  ): Promise<RestoreItemsResponse> {
    const { items, next } = await this.restores.itemsOf({ userId: user.id, accountId }, restoreId, query);
    return { items: items.map(toRestoreItem), next };
  }

  /** Download the report of a restore. Streams one line of JSON per mail, as the list of its mails has it. */
  @Get(':restoreId/report')
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    description: 'The report',
    content: { 'application/x-ndjson': { schema: { type: 'string' }, example: REPORT_LINE } },
  })
  @ApiProblems(new ResourceNotFound('restore'))
  async downloadRestoreReport(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('restoreId') restoreId: string,
    @Res() response: Response,
  ): Promise<void> {
    const pages = await this.restores.readItems({ userId: user.id, accountId }, restoreId);
    setDownloadHeaders(response, {
      filename: `restore-${restoreId}.ndjson`,
      mimeType: 'application/x-ndjson',
    });
    return streamTo(response, reportLines(pages));
  }

  /**
   * Start a restore. Starts a job that puts the mails of a dry run back, oldest first; nothing is ever added twice. A restore
   * that was stopped can be continued for seven days. Its `result` counts the mails by outcome. Encrypted mails take the
   * passphrase.
   */
  @Post(':restoreId/start')
  @HttpCode(202)
  @AccountProblems()
  @ApiProblems(new ResourceNotFound('restore'), new DryRunMissing(), new RestoreRunning(), new RestoreDone())
  @TakesPassphrase()
  async startRestore(
    @CurrentUser() user: AuthenticatedUser,
    @ArchivePassphrase() passphrase: string | null,
    @Param('accountId') accountId: string,
    @Param('restoreId') restoreId: string,
  ): Promise<RestoreJobResponse> {
    const { jobId } = await this.restores.start({ userId: user.id, accountId }, restoreId, passphrase);
    return { restoreId, jobId };
  }
}
