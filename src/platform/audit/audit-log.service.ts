import { Injectable } from '@nestjs/common';
import { offsetOf } from '../validation/page.dto';
import { dateFilter } from '../validation/date-filter';
import type { AuditEntryEntity } from './audit-entry.entity';
import { AuditFilter, AuditLogRepository, Slice, ListedEntry } from './audit-log.repository';
import type { ListAllAuditQuery, ListAuditQuery } from './dto/audit.dto';

export interface AuditPage<E> {
  /** Newest first. */
  readonly entries: E[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** The audit log for users and administrators. */
@Injectable()
export class AuditLogService {
  constructor(private readonly entries: AuditLogRepository) {}

  /** Entries about a user and entries of their own acts. @throws ValidationFailed */
  async listOwn(userId: string, query: ListAuditQuery): Promise<AuditPage<AuditEntryEntity>> {
    const found = await this.entries.pageOf(userId, filterOf(query), sliceOf(query));
    return { ...found, page: query.page, limit: query.limit };
  }

  /** Entries of all users. @throws ValidationFailed */
  async listAll(query: ListAllAuditQuery): Promise<AuditPage<ListedEntry>> {
    const { userId, actorId, accountId } = query;
    const filter = { ...filterOf(query), userId, actorId, accountId };
    const found = await this.entries.findPage(filter, sliceOf(query));
    return { ...found, page: query.page, limit: query.limit };
  }
}

const sliceOf = (query: ListAuditQuery): Slice => ({ limit: query.limit, offset: offsetOf(query) });

function filterOf({ action, outcome, from, to }: ListAuditQuery): AuditFilter {
  return { action, outcome, ...dateFilter({ from, to }, { from: 'from', to: 'to' }) };
}
