import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { pageFrom } from '../common/database/page-from';
import { ArchivedMailEntity, ArchivedThreadEntity } from './archived-mail.entity';
import { mailConditions, MailFilter, mailTables } from './mail-filter';
import { typedRows, column } from '../common/database/row-shape';
import type { PageRange } from '../common/database/page-from';

/** A thread with its most recent mail. */
export interface ListedThread {
  readonly thread_id: string;
  readonly message_count: number;
  readonly latest_date: Date;
  readonly senders: string[];
  readonly total_size: number;
  readonly has_attachments: boolean;
  readonly id: string;
  readonly subject: string;
  readonly sender: string;
  readonly snippet: string;
  readonly date: Date;
  readonly archived_at: Date;
}

/** Threads of an archive, those with the latest mail first, with exact totals. */
@Injectable()
export class ThreadsRepository extends BaseRepository<ArchivedThreadEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedThreadEntity);
  }

  /** Threads of which at least one mail matches; their summaries are of the whole thread. */
  async page(
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<{ threads: ListedThread[]; total: number }> {
    // One snapshot for total and page: pages near the end are counted from it.
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      if (filter.words !== null) await manager.query(`SELECT set_config('enable_seqscan', 'off', true)`);
      const { ids, total } = isUnfiltered(filter)
        ? await this.unfiltered(manager, accountId, range)
        : await this.filtered(manager, accountId, filter, range);
      return { threads: await this.summaries(manager, accountId, ids), total };
    });
  }

  /** All mails of a thread, oldest first. */
  mailsOf(accountId: string, threadId: string): Promise<ArchivedMailEntity[]> {
    return this.dataSource
      .getRepository(ArchivedMailEntity)
      .find({ where: { accountId, threadId }, order: { date: 'ASC', id: 'ASC' } });
  }

  private async unfiltered(
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

  private async filtered(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    { limit, offset }: PageRange,
  ): Promise<{ ids: string[]; total: number }> {
    const { where, parameters } = mailConditions(accountId, filter);
    // The words do not have the thread: the mail's own row does.
    const { from } = mailTables({ ...filter, senderPattern: filter.senderPattern ?? '' });
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

  private async summaries(
    manager: EntityManager,
    accountId: string,
    threadIds: readonly string[],
  ): Promise<ListedThread[]> {
    if (threadIds.length === 0) return [];
    const rows = typedRows(
      {
        id: column.text,
        subject: column.text,
        sender: column.text,
        date: column.date,
        has_attachments: column.boolean,
        archived_at: column.date,
        thread_id: column.text,
        message_count: column.number,
        latest_date: column.date,
        senders: column.array(column.text),
        snippet: column.text,
        total_size: column.text,
      },
      await manager.query(
        `SELECT wanted.thread_id, summary.message_count, summary.total_size, summary.has_attachments, summary.senders,
              latest.date AS latest_date, latest.id, latest.subject, latest.sender, latest.snippet, latest.date,
              latest.archived_at
         FROM unnest($2::text[]) WITH ORDINALITY AS wanted (thread_id, position)
         CROSS JOIN LATERAL (
           SELECT m.id, m.subject, m.sender, m.snippet, m.date, m.archived_at FROM archived_mails m
            WHERE m.account_id = $1 AND m.thread_id = wanted.thread_id
            ORDER BY m.date DESC, m.id DESC LIMIT 1
         ) latest
         CROSS JOIN LATERAL (
           SELECT sum(by_sender.mails)::int AS message_count, sum(by_sender.bytes) AS total_size,
                  bool_or(by_sender.has_attachments) AS has_attachments,
                  array_agg(by_sender.sender ORDER BY by_sender.first_date, by_sender.sender) AS senders
             FROM (
               SELECT m.sender, count(*) AS mails, sum(m.size_bytes) AS bytes, min(m.date) AS first_date,
                      bool_or(m.has_attachments) AS has_attachments
                 FROM archived_mails m
                WHERE m.account_id = $1 AND m.thread_id = wanted.thread_id GROUP BY m.sender
             ) by_sender
         ) summary
        ORDER BY wanted.position`,
        [accountId, threadIds],
      ),
    );
    return rows.map((row) => ({ ...row, total_size: Number(row.total_size) }));
  }
}

function isUnfiltered(filter: MailFilter): boolean {
  return Object.values(filter).every((value) => value === null);
}
