import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { BaseRepository, KNOWN_PAGE } from '../../platform/database/base.repository';
import { pageFrom } from '../../platform/database/page-from';
import { ArchivedMailEntity, ArchivedThreadEntity } from './archived-mail.entity';
import { DATE_SOURCES, type DateSource } from './writing/archive-dates';
import { findLastArchived, dropIdleBound } from './last-archived';
import {
  isUnfiltered,
  mailConditions,
  MailFilter,
  mailTables,
  searchesWords,
  SenderAccess,
} from './mail-filter';
import { MailTotals } from './mail-totals';
import { countSenders } from './matching-senders';
import { queryPageIds } from './page-ids';
import { typedRows, column, RowShape } from '../../platform/database/row-shape';
import type { PageRange } from '../../platform/database/page-from';

/** A thread with its most recent mail. */
export interface ListedThread {
  readonly thread_id: string;
  readonly message_count: number;
  readonly latest_date: string;
  readonly senders: string[];
  readonly total_size: number;
  readonly has_attachments: boolean;
  readonly id: string;
  readonly subject: string;
  readonly sender: string;
  readonly snippet: string;
  readonly date: string;
  readonly received_at: string | null;
  readonly date_source: DateSource | null;
  readonly archived_at: string;
}

const LISTED_THREAD_ROW: RowShape<ListedThread> = {
  thread_id: column.text,
  message_count: column.number,
  latest_date: column.timestamp,
  senders: column.array(column.text),
  total_size: column.number,
  has_attachments: column.boolean,
  id: column.text,
  subject: column.text,
  sender: column.text,
  snippet: column.text,
  date: column.timestamp,
  received_at: column.nullable(column.timestamp),
  date_source: column.nullable(column.oneOf(DATE_SOURCES)),
  archived_at: column.timestamp,
};

/** A listed thread as the queries with a filter return it, with dates as `Date`. */
type LoadedThread = Omit<ListedThread, 'latest_date' | 'date' | 'received_at' | 'archived_at'> & {
  readonly latest_date: Date;
  readonly date: Date;
  readonly received_at: Date | null;
  readonly archived_at: Date;
};

const LOADED_THREAD_ROW: RowShape<LoadedThread> = {
  ...LISTED_THREAD_ROW,
  latest_date: column.date,
  date: column.date,
  received_at: column.nullable(column.date),
  archived_at: column.date,
};

/** Columns of a list for each thread in `wanted`, in account $1. */
const SUMMARY_COLUMNS = `wanted.thread_id, summary.message_count, summary.total_size, summary.has_attachments,
  summary.senders, latest.date AS latest_date, latest.id, latest.subject, latest.sender, latest.snippet, latest.date,
  latest.received_at, latest.date_source, latest.archived_at`;
const SUMMARIES = `
  CROSS JOIN LATERAL (
    SELECT m.id, m.subject, m.sender, m.snippet, m.date, m.received_at, m.date_source, m.archived_at FROM archived_mails m
    WHERE m.account_id = $1 AND m.thread_id = wanted.thread_id
    ORDER BY m.date DESC, m.id DESC LIMIT 1
  ) latest
  CROSS JOIN LATERAL (
    SELECT sum(by_sender.mails)::int AS message_count, sum(by_sender.bytes)::float8 AS total_size,
           bool_or(by_sender.has_attachments) AS has_attachments,
           array_agg(by_sender.sender ORDER BY by_sender.first_date, by_sender.sender) AS senders
    FROM (
      SELECT m.sender, count(*) AS mails, sum(m.size_bytes) AS bytes, min(m.date) AS first_date,
             bool_or(m.has_attachments) AS has_attachments
      FROM archived_mails m
      WHERE m.account_id = $1 AND m.thread_id = wanted.thread_id GROUP BY m.sender
    ) by_sender
  ) summary`;

/** Threads from the latest on, with their number in all; an empty page is one row without a thread. */
const pageWithTotal = (wanted: string): string => `
  SELECT coalesce(totals.threads, 0) AS total, page.*
  FROM (SELECT $1::uuid AS account_id) asked
  LEFT JOIN archive_totals totals USING (account_id)
  LEFT JOIN LATERAL (SELECT ${SUMMARY_COLUMNS} FROM (${wanted}) wanted ${SUMMARIES}) page ON true
  ORDER BY page.latest_date DESC, page.thread_id DESC`;

const FROM_LATEST = `SELECT thread_id, latest_date FROM archived_threads WHERE account_id = $1
  ORDER BY latest_date DESC, thread_id DESC`;

const FIRST_PAGE = {
  name: 'latest-threads',
  sql: pageWithTotal(
    `SELECT * FROM (${FROM_LATEST} LIMIT ${KNOWN_PAGE}) latest ORDER BY latest_date DESC, thread_id DESC LIMIT $2`,
  ),
};
const FURTHER_PAGE = { sql: pageWithTotal(`${FROM_LATEST} LIMIT $2 OFFSET $3`) };

/** Pages that begin within this many threads are read from the latest on; later ones perhaps from the other end. */
const RECENT_WINDOW = 5_000;

/** Number of matching mails above which the latest threads are tested one by one for the first pages. */
const GATHER_LIMIT = 20_000;
/** At most this many threads are tested before all that match are gathered and sorted. */
const WALKED = 5_000;

/** Threads of an archive, those with the latest mail first, with exact totals. */
@Injectable()
export class ThreadsRepository extends BaseRepository<ArchivedThreadEntity> {
  constructor(
    dataSource: DataSource,
    private readonly totals: MailTotals,
  ) {
    super(dataSource, ArchivedThreadEntity);
  }

  /** Threads of which at least one mail matches; their summaries are of the whole thread. */
  async findPage(
    accountId: string,
    asked: MailFilter,
    range: PageRange,
  ): Promise<{ threads: ListedThread[]; total: number }> {
    if (isUnfiltered(asked) && range.offset + range.limit <= RECENT_WINDOW)
      return this.loadLatest(accountId, range);
    // One snapshot for total and page: pages near the end are counted from it.
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const filter = asked.archivedUntil
        ? dropIdleBound(asked, await findLastArchived(manager, accountId))
        : asked;
      if (searchesWords(filter)) await manager.query(`SELECT set_config('enable_seqscan', 'off', true)`);
      const { ids, total } = isUnfiltered(filter)
        ? await this.loadUnfiltered(manager, accountId, range)
        : await this.loadFiltered(manager, accountId, filter, range);
      return { threads: await this.loadSummaries(manager, accountId, ids), total };
    });
  }

  /** All mails of a thread, oldest first. */
  mailsOf(accountId: string, threadId: string): Promise<ArchivedMailEntity[]> {
    return this.dataSource
      .getRepository(ArchivedMailEntity)
      .find({ where: { accountId, threadId }, order: { date: 'ASC', id: 'ASC' } });
  }

  /** The latest threads without a filter, the most frequent request, in one statement. */
  private async loadLatest(
    accountId: string,
    { limit, offset }: PageRange,
  ): Promise<{ threads: ListedThread[]; total: number }> {
    const shape = { total: column.number, id: column.nullable(column.text) };
    const rows =
      offset === 0 && limit <= KNOWN_PAGE
        ? await this.readRows(shape, FIRST_PAGE, [accountId, limit])
        : await this.readRows(shape, FURTHER_PAGE, [accountId, limit, offset]);
    const threads = rows.filter(({ id }) => id !== null);
    return { threads: typedRows(LISTED_THREAD_ROW, threads), total: rows[0]!.total };
  }

  private async loadUnfiltered(
    manager: EntityManager,
    accountId: string,
    range: PageRange,
  ): Promise<{ ids: string[]; total: number }> {
    const [totals] = typedRows(
      { threads: column.number },
      await manager.query('SELECT threads FROM archive_totals WHERE account_id = $1', [accountId]),
    );
    const total = totals?.threads ?? 0;
    const { limit, offset, isReversed } = pageFrom(range, total);
    if (limit === 0) return { ids: [], total };
    const order = isReversed ? 'latest_date, thread_id' : 'latest_date DESC, thread_id DESC';
    const rows = typedRows(
      { thread_id: column.text },
      await manager.query(
        `SELECT thread_id FROM archived_threads WHERE account_id = $1 ORDER BY ${order} LIMIT $2 OFFSET $3`,
        [accountId, limit, offset],
      ),
    );
    const ids = rows.map((row) => row.thread_id);
    return { ids: isReversed ? ids.reverse() : ids, total };
  }

  private async loadFiltered(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<{ ids: string[]; total: number }> {
    const matching = filter.senderPattern
      ? await countSenders(manager, accountId, filter.senderPattern)
      : undefined;
    if (matching?.mails === 0) return { ids: [], total: 0 };
    const isNear = range.offset + range.limit <= WALKED / 10;
    if (isNear && (await this.totals.estimate(manager, accountId, filter)) > GATHER_LIMIT) {
      const ids = await this.walk(manager, accountId, filter, range);
      // Too few: the matches are further on, or this is the last page.
      if (ids.length === range.limit)
        return { ids, total: await this.totals.countThreads(manager, accountId, filter, matching?.access) };
    }
    return this.gather(manager, accountId, filter, range, matching?.access);
  }

  /** A page among the latest threads, each of which is tested by its mails. */
  private walk(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<string[]> {
    const { where, parameters } = mailConditions(accountId, filter, 'each');
    const { from } = mailTables(filter, true);
    return queryPageIds(
      manager,
      `SELECT t.thread_id AS id FROM (${FROM_LATEST} LIMIT ${WALKED}) t
         CROSS JOIN LATERAL (SELECT FROM ${from} WHERE ${where} AND m.thread_id = t.thread_id LIMIT 1) matching
        ORDER BY t.latest_date DESC, t.thread_id DESC`,
      parameters,
      range,
    );
  }

  /** A page of all threads that match, which are counted and sorted in one statement. */
  private async gather(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    { limit, offset }: PageRange,
    senders?: SenderAccess,
  ): Promise<{ ids: string[]; total: number }> {
    const { where, parameters } = mailConditions(accountId, filter, senders);
    // The words do not have the thread: the mail's own row does.
    const { from } = mailTables(filter, true);
    const [row] = typedRows(
      { total: column.text, ids: column.nullable(column.array(column.text)) },
      await manager.query(
        `WITH matches AS MATERIALIZED (SELECT DISTINCT m.thread_id FROM ${from} WHERE ${where}),
            page AS (
              SELECT t.thread_id, t.latest_date FROM matches
                JOIN archived_threads t ON t.account_id = $1 AND t.thread_id = matches.thread_id
               ORDER BY t.latest_date DESC, t.thread_id DESC LIMIT ${limit} OFFSET ${offset})
       SELECT (SELECT count(*) FROM matches) AS total,
              (SELECT array_agg(thread_id ORDER BY latest_date DESC, thread_id DESC) FROM page) AS ids`,
        [...parameters],
      ),
    );
    return { ids: row?.ids ?? [], total: Number(row?.total) };
  }

  private async loadSummaries(
    manager: EntityManager,
    accountId: string,
    threadIds: readonly string[],
  ): Promise<ListedThread[]> {
    if (threadIds.length === 0) return [];
    const rows = typedRows(
      LOADED_THREAD_ROW,
      await manager.query(
        `SELECT ${SUMMARY_COLUMNS}
         FROM unnest($2::text[]) WITH ORDINALITY AS wanted (thread_id, position) ${SUMMARIES}
         ORDER BY wanted.position`,
        [accountId, threadIds],
      ),
    );
    return rows.map((row) => ({
      ...row,
      latest_date: row.latest_date.toISOString(),
      date: row.date.toISOString(),
      received_at: row.received_at?.toISOString() ?? null,
      archived_at: row.archived_at.toISOString(),
    }));
  }
}
