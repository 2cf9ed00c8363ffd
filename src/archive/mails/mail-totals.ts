import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ArchiveResults } from './archive-results';
import {
  dependsOnNames,
  isUnfiltered,
  MailFilter,
  mailConditions,
  mailTables,
  NO_FILTER,
  SenderAccess,
} from './mail-filter';
import { typedRows, column } from '../../platform/database/row-shape';

/** Counts the mails of an archive that match a filter: exactly, or by the estimate of the planner. */
@Injectable()
export class MailTotals {
  constructor(private readonly results: ArchiveResults) {}

  /** The planner's estimate of the matches. A wrong one costs time, never a wrong answer. */
  async estimate(manager: EntityManager, accountId: string, filter: MailFilter): Promise<number> {
    const { where, parameters } = mailConditions(accountId, filter);
    const [row] = typedRows(
      { 'QUERY PLAN': column.json<{ Plan: { 'Plan Rows': number } }[]>() },
      await manager.query(`EXPLAIN (FORMAT JSON) SELECT 1 FROM ${mailTables(filter).from} WHERE ${where}`, [
        ...parameters,
      ]),
    );
    return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
  }

  /** The number of matches, counted once for each state of the archive unless that is quick. */
  async countTotal(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    senders?: SenderAccess,
  ): Promise<number> {
    const { from, until, hasAttachments, ...others } = filter;
    const count = (): Promise<number> => this.count(manager, accountId, filter, senders);
    if (isUnfiltered({ ...NO_FILTER, ...others }) || dependsOnNames(filter)) return count();
    return (await this.results.getOrCompute(manager, accountId, 'archive-total', filter, count)) ?? 0;
  }

  /** The number of threads with a mail that matches, counted once for each state of the archive. */
  async countThreads(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    senders?: SenderAccess,
  ): Promise<number> {
    const count = async (): Promise<number> => {
      const { where, parameters } = mailConditions(accountId, filter, senders);
      const [row] = typedRows(
        { total: column.text },
        await manager.query(
          `SELECT count(*) AS total FROM
             (SELECT FROM ${mailTables(filter, true).from} WHERE ${where} GROUP BY m.thread_id) threads`,
          [...parameters],
        ),
      );
      return Number(row?.total);
    };
    if (dependsOnNames(filter)) return count();
    return (await this.results.getOrCompute(manager, accountId, 'archive-thread-total', filter, count)) ?? 0;
  }

  private async count(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    senders?: SenderAccess,
  ): Promise<number> {
    const { exclusions, senderPattern, hasAttachments } = filter;
    if (exclusions !== null && senderPattern === null) {
      const all = await this.count(manager, accountId, { ...filter, exclusions: null });
      return all - (await this.count(manager, accountId, { ...filter, words: exclusions, exclusions: null }));
    }
    if (isUnfiltered({ ...filter, hasAttachments: null })) {
      const [totals] = typedRows(
        { mails: column.number, with_attachments: column.number },
        await manager.query('SELECT mails, with_attachments FROM archive_totals WHERE account_id = $1', [
          accountId,
        ]),
      );
      const { mails, with_attachments: withAttachments } = totals ?? { mails: 0, with_attachments: 0 };
      return hasAttachments === null ? mails : hasAttachments ? withAttachments : mails - withAttachments;
    }
    if (isOpenPeriod(filter)) return this.countBeyond(manager, accountId, filter);
    const { where, parameters } = mailConditions(accountId, filter, senders);
    const [row] = typedRows(
      { total: column.text },
      await manager.query(`SELECT count(*) AS total FROM ${mailTables(filter).from} WHERE ${where}`, [
        ...parameters,
      ]),
    );
    return Number(row?.total);
  }

  /** Mails since or until a date, by counting the side with the smaller estimate. */
  private async countBeyond(manager: EntityManager, accountId: string, filter: MailFilter): Promise<number> {
    const total = await this.count(manager, accountId, NO_FILTER);
    const complement: MailFilter = { ...NO_FILTER, from: filter.until, until: filter.from };
    const isMore = (await this.estimate(manager, accountId, filter)) > total / 2;
    const { where, parameters } = mailConditions(accountId, isMore ? complement : filter);
    const [row] = typedRows(
      { total: column.text },
      await manager.query(`SELECT count(*) AS total FROM archived_mails m WHERE ${where}`, [...parameters]),
    );
    return isMore ? total - Number(row?.total) : Number(row?.total);
  }
}

/** Only since a date, or only until one. */
function isOpenPeriod(filter: MailFilter): boolean {
  const { from, until } = filter;
  return (from === null) !== (until === null) && isUnfiltered({ ...filter, from: null, until: null });
}
