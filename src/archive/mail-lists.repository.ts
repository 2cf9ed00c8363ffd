import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { BaseRepository } from '../common/database/base.repository';
import { ArchivedMailEntity } from './archived-mail.entity';
import { MailFilter, mailConditions, mailTables } from './mail-filter';
import { typedRows, column, RowShape } from '../common/database/row-shape';
import { pageFrom, PageRange } from '../common/database/page-from';

export interface ListedMail {
  readonly id: string;
  readonly mailbox_message_id: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: Date;
  readonly size_bytes: number;
  readonly has_attachments: boolean;
  readonly label_ids: string[];
  readonly archived_at: Date;
}

export interface ListedPage {
  readonly mails: ListedMail[];
  readonly total: number;
}

/** As the driver returns it. */
type LoadedMail = Omit<ListedMail, 'size_bytes'> & { readonly size_bytes: string };

const LOADED_MAIL_ROW: RowShape<LoadedMail> = {
  id: column.text,
  mailbox_message_id: column.text,
  subject: column.text,
  sender: column.text,
  date: column.date,
  has_attachments: column.boolean,
  label_ids: column.array(column.text),
  archived_at: column.date,
  size_bytes: column.text,
};

const COLUMNS =
  'm.id, m.mailbox_message_id, m.subject, m.sender, m.date, m.size_bytes, m.has_attachments, m.label_ids, m.archived_at';

const toListedMail = (row: LoadedMail): ListedMail => ({ ...row, size_bytes: Number(row.size_bytes) });

interface FoundPage {
  readonly ids: string[];
  readonly total: number;
}

/** Up to this many matches are gathered and sorted; of more, the newest are found by walking the date index. */
const GATHER_LIMIT = 20_000;
/** This many of the newest mails are searched for a common word before all matches are sorted. */
const RECENT_WINDOW = 5_000;

/** Pages of mails, newest first, with exact totals. */
@Injectable()
export class MailListsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  async page(accountId: string, filter: MailFilter, range: PageRange): Promise<ListedPage> {
    if (isUnfiltered(filter) && range.offset + range.limit <= RECENT_WINDOW)
      return this.newest(accountId, range);
    // One snapshot for total and page: pages near the end are counted from it.
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const { ids, total } = await this.find(manager, accountId, filter, range);
      return { mails: ids.length === 0 ? [] : await this.load(manager, accountId, ids), total };
    });
  }

  /** The most frequent request in one statement: a transaction around several costs more than all of them. */
  private async newest(accountId: string, { limit, offset }: PageRange): Promise<ListedPage> {
    const rows = await this.rows(
      { total: column.number, id: column.nullable(column.text) },
      `SELECT coalesce(totals.mails, 0) AS total, page.*
         FROM (SELECT $1::uuid AS account_id) asked
         LEFT JOIN archive_totals totals USING (account_id)
         LEFT JOIN LATERAL (
           SELECT ${COLUMNS} FROM archived_mails m WHERE m.account_id = $1
            ORDER BY m.date DESC, m.id DESC LIMIT ${limit} OFFSET ${offset}
         ) page ON true
        ORDER BY page.date DESC, page.id DESC`,
      [accountId],
    );
    // An empty page is one row without a mail.
    const loaded = rows.flatMap(({ total: _total, ...mail }) => (mail.id === null ? [] : [mail]));
    return { mails: typedRows(LOADED_MAIL_ROW, loaded).map(toListedMail), total: rows[0]!.total };
  }

  private async find(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<FoundPage> {
    const { words, senderPattern } = filter;
    if (words === null && senderPattern === null) {
      const total = await this.count(manager, accountId, filter);
      return { total, ids: await this.walk(manager, accountId, filter, range, total) };
    }
    // Reading every mail's words from the table costs a hundred times the planner's estimate.
    if (words !== null) await manager.query(`SELECT set_config('enable_seqscan', 'off', true)`);
    const isNear = range.offset + range.limit <= RECENT_WINDOW / 10;
    const isOneFilter = words === null || senderPattern === null;
    if (!isNear || !isOneFilter || (await this.estimate(manager, accountId, filter)) <= GATHER_LIMIT) {
      return this.gather(manager, accountId, filter, range);
    }
    const ids =
      words === null
        ? await this.walk(manager, accountId, filter, range, null)
        : await this.walkWords(manager, accountId, filter, range);
    // Too few: the matches are older, or this is the last page.
    if (ids.length < range.limit) return this.gather(manager, accountId, filter, range);
    return { ids, total: await this.count(manager, accountId, filter) };
  }

  /** The planner's estimate of the matches. A wrong one costs time, never a wrong answer. */
  private async estimate(manager: EntityManager, accountId: string, filter: MailFilter): Promise<number> {
    const { where, parameters } = mailConditions(accountId, filter);
    const [row] = typedRows(
      { 'QUERY PLAN': column.json<{ Plan: { 'Plan Rows': number } }[]>() },
      await manager.query(`EXPLAIN (FORMAT JSON) SELECT 1 FROM ${mailTables(filter).from} WHERE ${where}`, [
        ...parameters,
      ]),
    );
    return row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0;
  }

  private async count(manager: EntityManager, accountId: string, filter: MailFilter): Promise<number> {
    const { words, senderPattern, from, until, hasAttachments } = filter;
    if (words === null && senderPattern === null && !from && !until) {
      const [totals] = typedRows(
        { mails: column.number, with_attachments: column.number },
        await manager.query('SELECT mails, with_attachments FROM archive_totals WHERE account_id = $1', [
          accountId,
        ]),
      );
      const { mails, with_attachments: withAttachments } = totals ?? { mails: 0, with_attachments: 0 };
      return hasAttachments === null ? mails : hasAttachments ? withAttachments : mails - withAttachments;
    }
    if (isDatesOnly(filter) && !(from && until)) return this.countBeyond(manager, accountId, filter);
    const { where, parameters } = mailConditions(accountId, filter);
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

  /** Along the date index, testing mail by mail; from its nearer end when the total is known. */
  private async walk(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
    total: number | null,
  ): Promise<string[]> {
    const { where, parameters } = mailConditions(accountId, filter);
    const { limit, offset, isReversed } = pageFrom(range, total);
    if (limit === 0) return [];
    const order = isReversed ? 'm.date, m.id' : 'm.date DESC, m.id DESC';
    const sql = `SELECT m.id FROM archived_mails m WHERE ${where} ORDER BY ${order}`;
    const ids = await idsOf(manager, sql, parameters, { limit, offset });
    return isReversed ? ids.reverse() : ids;
  }

  /** The same for words, among the newest mails only: a word may be common and yet long out of use. */
  private walkWords(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<string[]> {
    const { where, parameters } = mailConditions(accountId, filter);
    const dates = mailConditions(accountId, { ...NO_FILTER, until: filter.until });
    const until = filter.until ? ` AND m.date < $${parameters.length + 1}` : '';
    return idsOf(
      manager,
      `SELECT recent.id FROM (
         SELECT m.id, m.date FROM archived_mails m WHERE m.account_id = $1${until}
          ORDER BY m.date DESC, m.id DESC LIMIT ${RECENT_WINDOW}
       ) recent JOIN archived_mail_words w ON w.mail_id = recent.id
       WHERE ${where} ORDER BY recent.date DESC, recent.id DESC`,
      [...parameters, ...dates.parameters.slice(1)],
      range,
    );
  }

  /** All matches by the index, counted and sorted in one go. */
  private async gather(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    { limit, offset }: PageRange,
  ): Promise<FoundPage> {
    const { where, parameters } = mailConditions(accountId, filter);
    const { from, id, date } = mailTables(filter);
    const [row] = typedRows(
      { total: column.text, ids: column.array(column.text) },
      await manager.query(
        `WITH matches AS MATERIALIZED (SELECT ${id} AS id, ${date} AS date FROM ${from} WHERE ${where})
       SELECT (SELECT count(*) FROM matches) AS total,
              ARRAY (SELECT id FROM matches ORDER BY date DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS ids`,
        [...parameters],
      ),
    );
    return { ids: row?.ids ?? [], total: Number(row?.total) };
  }

  private async load(
    manager: EntityManager,
    accountId: string,
    ids: readonly string[],
  ): Promise<ListedMail[]> {
    const rows = typedRows(
      LOADED_MAIL_ROW,
      await manager.query(
        `SELECT ${COLUMNS} FROM archived_mails m
        WHERE m.account_id = $1 AND m.id = ANY ($2) ORDER BY m.date DESC, m.id DESC`,
        [accountId, ids],
      ),
    );
    return rows.map(toListedMail);
  }
}

const NO_FILTER: MailFilter = {
  words: null,
  senderPattern: null,
  from: null,
  until: null,
  hasAttachments: null,
};

const isUnfiltered = (filter: MailFilter): boolean => isDatesOnly(filter) && !filter.from && !filter.until;

function isDatesOnly({ words, senderPattern, hasAttachments }: MailFilter): boolean {
  return words === null && senderPattern === null && hasAttachments === null;
}

async function idsOf(
  manager: EntityManager,
  sql: string,
  parameters: readonly unknown[],
  { limit, offset }: PageRange,
): Promise<string[]> {
  const rows = typedRows(
    { id: column.text },
    await manager.query(`${sql} LIMIT ${limit} OFFSET ${offset}`, [...parameters]),
  );
  return rows.map(({ id }) => id);
}
