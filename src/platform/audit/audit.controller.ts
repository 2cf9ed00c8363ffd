import { applyDecorators, Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { ListsRows } from '../access/lists-rows';
import { AdminOnly, Authenticated, CurrentUser } from '../access/policies';
import { setDownloadHeaders } from '../http/downloads';
import { streamTo } from '../http/ranged-downloads';
import { OperationGroup } from '../openapi/operation-group';
import { AuditLogService } from './audit-log.service';
import { ADMIN_COLUMNS, csvOf, OWN_COLUMNS } from './audit-csv';
import { ExportAllAuditQuery, ExportAuditQuery, ListAllAuditQuery, ListAuditQuery } from './dto/audit.dto';
import {
  AdminAuditPageResponse,
  AuditPageResponse,
  toAdminAuditPageResponse,
  toAdminEntry,
  toAuditPageResponse,
  toOwnEntry,
} from './dto/audit.response';

const CSV = 'text/csv';

/** Declares the answer of a route that streams entries as CSV. */
const AnswersCsv = (columns: readonly string[]): MethodDecorator =>
  applyDecorators(
    ApiProduces(CSV),
    ApiOkResponse({
      description: 'The entries',
      content: { [CSV]: { schema: { type: 'string' }, example: `${columns.join(',')}\r\n` } },
    }),
  );

@ApiTags('audit')
@OperationGroup('audit')
@Authenticated()
@Controller('audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  /** List your audit log, newest first. What you did, and what was done or attempted with your data. */
  @Get()
  @ListsRows()
  async list(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ListAuditQuery,
  ): Promise<AuditPageResponse> {
    return toAuditPageResponse(user.id, await this.log.listOwn(user.id, query));
  }

  /**
   * Export your audit log as CSV, newest first. Streams all entries that the list has on its pages, as RFC 4180 describes, with
   * their fields as columns. Texts that a spreadsheet would run as a formula begin with an apostrophe.
   */
  @Get('export')
  @AnswersCsv(OWN_COLUMNS)
  async exportCsv(
    @CurrentUser() user: AuthenticatedUser,
    @Query() query: ExportAuditQuery,
    @Res() response: Response,
  ): Promise<void> {
    const pages = mapPages(this.log.exportOwn(user.id, query), (entry) => toOwnEntry(user.id, entry));
    setDownloadHeaders(response, { filename: 'audit-log.csv', mimeType: CSV });
    return streamTo(response, csvOf(OWN_COLUMNS, pages));
  }
}

@ApiTags('admin')
@OperationGroup('admin')
@AdminOnly()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly log: AuditLogService) {}

  /**
   * List the audit log of the installation, newest first. The actions of all users. Entries remain after their users
   * are deleted.
   */
  @Get()
  @ListsRows()
  async listAudit(@Query() query: ListAllAuditQuery): Promise<AdminAuditPageResponse> {
    return toAdminAuditPageResponse(await this.log.listAll(query));
  }

  /**
   * Export the audit log of the installation as CSV, newest first. Streams all entries that the list has on its pages, as
   * RFC 4180 describes, with their fields as columns. Texts that a spreadsheet would run as a formula begin with an apostrophe.
   */
  @Get('export')
  @AnswersCsv(ADMIN_COLUMNS)
  async exportAudit(@Query() query: ExportAllAuditQuery, @Res() response: Response): Promise<void> {
    const pages = mapPages(this.log.exportAll(query), toAdminEntry);
    setDownloadHeaders(response, { filename: 'audit-log-of-all.csv', mimeType: CSV });
    return streamTo(response, csvOf(ADMIN_COLUMNS, pages));
  }
}

async function* mapPages<From, To>(
  pages: AsyncIterable<readonly From[]>,
  map: (one: From) => To,
): AsyncGenerator<readonly To[]> {
  for await (const page of pages) yield page.map(map);
}
