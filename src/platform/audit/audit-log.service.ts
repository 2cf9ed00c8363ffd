import { Injectable } from '@nestjs/common';
import { offsetOf } from '../validation/page.dto';
import { dateFilter } from '../validation/date-filter';
import type { AuditEntryEntity } from './audit-entry.entity';
import { AuditFilter, AuditLogRepository, Slice, ListedEntry } from './audit-log.repository';
import type {
  ExportAllAuditQuery,
  ExportAuditQuery,
  ListAllAuditQuery,
  ListAuditQuery,
} from './dto/audit.dto';

export interface AuditPage<E> {
  /** Newest first. */
  readonly entries: E[];
  readonly total: number;
  readonly page: number;
  readonly limit: number;
}

/** Entries of an export that are read at a time. */
const EXPORT_PAGE = 1_000;

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
    const found = await this.entries.findPage(fullFilterOf(query), sliceOf(query));
    return { ...found, page: query.page, limit: query.limit };
  }

  /** All entries that `listOwn` has on its pages. @throws ValidationFailed before the first is read */
  exportOwn(userId: string, query: ExportAuditQuery): AsyncIterable<readonly AuditEntryEntity[]> {
    const filter = filterOf(query);
    return inPages((before) => this.entries.findOwnBefore(userId, filter, before, EXPORT_PAGE));
  }

  /** All entries that `listAll` has on its pages. @throws ValidationFailed before the first is read */
  exportAll(query: ExportAllAuditQuery): AsyncIterable<readonly ListedEntry[]> {
    const filter = fullFilterOf(query);
    return inPages((before) => this.entries.findBefore(filter, before, EXPORT_PAGE));
  }
}

/** Pages by the sequence of their last entry: what is added meanwhile moves none. */
async function* inPages<E extends AuditEntryEntity>(
  read: (before: number | null) => Promise<readonly E[]>,
): AsyncGenerator<readonly E[]> {
  for (let before: number | null = null; ;) {
    const entries = await read(before);
    if (entries.length > 0) yield entries;
    if (entries.length < EXPORT_PAGE) return;
    before = entries.at(-1)!.sequence;
  }
}

const sliceOf = (query: ListAuditQuery): Slice => ({ limit: query.limit, offset: offsetOf(query) });

function filterOf({ action, group, outcome, accountId, from, to }: ExportAuditQuery): AuditFilter {
  return {
    action,
    group,
    outcome,
    accountId,
    ...dateFilter({ from, to }, { from: 'from', to: 'to' }),
  };
}

const fullFilterOf = (query: ExportAllAuditQuery): AuditFilter => ({
  ...filterOf(query),
  userId: query.userId,
  actorId: query.actorId,
});
