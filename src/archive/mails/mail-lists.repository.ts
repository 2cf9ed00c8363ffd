import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { BaseRepository, KNOWN_PAGE } from '../../platform/database/base.repository';
import { ArchivedMailEntity, type MailPresence } from './archived-mail.entity';
import { MailTotals } from './mail-totals';
import {
  isUnfiltered,
  MailFilter,
  mailConditions,
  mailTables,
  NO_FILTER,
  searchesConditions,
  searchesWords,
  SenderAccess,
} from './mail-filter';
import { type MailOrder, NEWEST_FIRST, opposite, orderBy, SORT_KEYS } from './mail-order';
import { LAST_ARCHIVED, findLastArchived, dropIdleBound } from './last-archived';
import { DATE_SOURCES, type DateSource } from './writing/archive-dates';
import { PRESENCE, PRESENCE_COLUMN } from './mail-presence.repository';
import { countSenders } from './matching-senders';
import { typedRows, column, RowShape } from '../../platform/database/row-shape';
import { pageFrom, PageRange } from '../../platform/database/page-from';
import { queryPageIds } from './page-ids';
import { findAllBySender, findBySender, mergeSenders } from './sender-pages';

export interface ListedMail {
  readonly id: string;
  readonly mailbox_message_id: string;
  readonly subject: string;
  readonly sender: string;
  readonly date: string;
  readonly received_at: string | null;
  readonly date_source: DateSource | null;
  readonly size_bytes: number;
  readonly has_attachments: boolean;
  readonly label_ids: string[];
  readonly archived_at: string;
  readonly thread_id: string;
  readonly recipient: string;
  readonly snippet: string;
  readonly is_encrypted: boolean;
  readonly presence: MailPresence | null;
}

export interface ListedPage {
  readonly mails: ListedMail[];
  readonly total: number;
  /**
   * The `archived_until` of the request, or the time at which the latest mail was archived; null without mails. Further
   * pages that are asked for with it do not move.
   */
  readonly archivedUntil: string | null;
}

const LISTED_MAIL_ROW: RowShape<ListedMail> = {
  id: column.text,
  mailbox_message_id: column.text,
  subject: column.text,
  sender: column.text,
  date: column.timestamp,
  received_at: column.nullable(column.timestamp),
  date_source: column.nullable(column.oneOf(DATE_SOURCES)),
  size_bytes: column.number,
  has_attachments: column.boolean,
  label_ids: column.array(column.text),
  archived_at: column.timestamp,
  thread_id: column.text,
  recipient: column.text,
  snippet: column.text,
  is_encrypted: column.boolean,
  presence: PRESENCE_COLUMN,
};

/** A listed mail as the queries with a filter return it, with dates as `Date`. */
type LoadedMail = Omit<ListedMail, 'date' | 'received_at' | 'archived_at'> & {
  readonly date: Date;
  readonly received_at: Date | null;
  readonly archived_at: Date;
};

const LOADED_MAIL_ROW: RowShape<LoadedMail> = {
  ...LISTED_MAIL_ROW,
  date: column.date,
  received_at: column.nullable(column.date),
  archived_at: column.date,
};

const COLUMNS = `m.id, m.mailbox_message_id, m.subject, m.sender, m.date, m.received_at, m.date_source, m.size_bytes::float8 AS size_bytes,
  m.has_attachments, m.label_ids, m.archived_at, m.thread_id, m.recipient, m.snippet, m.is_encrypted, ${PRESENCE} AS presence`;

/** Mails from the newest on, with the total of the archive; an empty page is one row without a mail. */
const pageWithTotal = (page: string): string => `
  SELECT coalesce(totals.mails, 0) AS total, (${LAST_ARCHIVED}) AS last, page.*
  FROM (SELECT $1::uuid AS account_id) asked
  LEFT JOIN archive_totals totals USING (account_id)
  LEFT JOIN LATERAL (${page}) page ON true
  ORDER BY page.date DESC, page.id DESC`;

const FROM_NEWEST = `SELECT ${COLUMNS} FROM archived_mails m WHERE m.account_id = $1 ORDER BY m.date DESC, m.id DESC`;

const FIRST_PAGE = {
  name: 'newest-mails',
  sql: pageWithTotal(
    `SELECT * FROM (${FROM_NEWEST} LIMIT ${KNOWN_PAGE}) newest ORDER BY date DESC, id DESC LIMIT $2`,
  ),
};
const FURTHER_PAGE = { sql: pageWithTotal(`${FROM_NEWEST} LIMIT $2 OFFSET $3`) };

const toListedMail = (row: LoadedMail): ListedMail => ({
  ...row,
  date: row.date.toISOString(),
  received_at: row.received_at?.toISOString() ?? null,
  archived_at: row.archived_at.toISOString(),
});

interface FoundPage {
  readonly ids: string[];
  readonly total: number;
}

/** Up to this many matches are gathered and sorted; of more, the newest are found by walking the date index. */
const GATHER_LIMIT = 20_000;
/** This many mails, from the first of the order on, are searched for a common word before all matches are sorted. */
const WINDOW = 5_000;

/** Pages of mails with exact totals. */
@Injectable()
export class MailListsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(
    dataSource: DataSource,
    private readonly totals: MailTotals,
  ) {
    super(dataSource, ArchivedMailEntity);
  }

  async findPage(
    accountId: string,
    asked: MailFilter,
    range: PageRange,
    order: MailOrder = NEWEST_FIRST,
  ): Promise<ListedPage> {
    const isNewestFirst = order.sort === 'date' && order.order === 'desc';
    if (isNewestFirst && isUnfiltered(asked) && range.offset + range.limit <= WINDOW)
      return this.loadNewest(accountId, range);
    // One snapshot for total and page: pages near the end are counted from it.
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const last = await findLastArchived(manager, accountId);
      const filter = dropIdleBound(asked, last);
      // Reading every mail's words from the table costs a hundred times the planner's estimate.
      if (searchesWords(filter)) await manager.query(`SELECT set_config('enable_seqscan', 'off', true)`);
      const { ids, total } = await this.find(manager, accountId, filter, range, order);
      return {
        mails: ids.length === 0 ? [] : await this.load(manager, accountId, ids),
        total,
        archivedUntil: lastIncluded(asked)?.toISOString() ?? last?.toISOString() ?? null,
      };
    });
  }

  /** The newest mails without a filter, in one statement: a transaction around several costs more than all of them. */
  private async loadNewest(accountId: string, { limit, offset }: PageRange): Promise<ListedPage> {
    const shape = {
      total: column.number,
      id: column.nullable(column.text),
      last: column.nullable(column.timestamp),
    };
    const rows =
      offset === 0 && limit <= KNOWN_PAGE
        ? await this.readRows(shape, FIRST_PAGE, [accountId, limit])
        : await this.readRows(shape, FURTHER_PAGE, [accountId, limit, offset]);
    const mails = rows.filter(({ id }) => id !== null);
    const { total, last } = rows[0]!;
    return { mails: typedRows(LISTED_MAIL_ROW, mails), total, archivedUntil: last };
  }

  private async find(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
    order: MailOrder,
  ): Promise<FoundPage> {
    if (order.sort !== 'date') return this.loadSorted(manager, accountId, filter, range, order);
    if (order.order === 'desc') return this.loadByDate(manager, accountId, filter, range);
    const { total } = await this.loadByDate(manager, accountId, filter, { limit: 0, offset: 0 });
    const limit = Math.max(0, Math.min(range.limit, total - range.offset));
    if (limit === 0) return { ids: [], total };
    const fromEnd = { limit, offset: total - range.offset - limit };
    const { ids } = await this.loadByDate(manager, accountId, filter, fromEnd);
    return { ids: ids.reverse(), total };
  }

  /** A sorted page: by the index of the order where few mails are left out, else by sorting the matches. */
  private async loadSorted(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
    order: MailOrder,
  ): Promise<FoundPage> {
    if (searchesWords(filter) || filter.senderPattern !== null) {
      const senders =
        filter.senderPattern === null
          ? undefined
          : await countSenders(manager, accountId, filter.senderPattern);
      if (senders?.mails === 0) return { total: 0, ids: [] };
      const areWordsOnly = filter.words !== null && !senders && !searchesConditions(filter);
      if (areWordsOnly && order.sort !== 'sender')
        return this.loadWithWords(manager, accountId, filter, range, order);
      return this.gather(manager, accountId, filter, range, senders?.access, order);
    }
    const total = await this.totals.countTotal(manager, accountId, filter);
    if (order.sort !== 'sender')
      return { total, ids: await this.walk(manager, accountId, filter, range, total, order) };
    if (isUnfiltered(filter))
      return { total, ids: await findAllBySender(manager, accountId, range, order.order, total) };
    // Few would be far apart.
    if (total <= GATHER_LIMIT) return this.gather(manager, accountId, filter, range, undefined, order);
    return { total, ids: await findBySender(manager, accountId, filter, range, order.order, total) };
  }

  private async loadByDate(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<FoundPage> {
    const { words, senderPattern } = filter;
    if (senderPattern !== null) return this.loadOfSenders(manager, accountId, filter, range);
    // What it finds would be looked up for the count, and again for the page.
    if (words === null && searchesConditions(filter)) return this.gather(manager, accountId, filter, range);
    if (words === null) {
      const total = await this.totals.countTotal(manager, accountId, filter);
      return { total, ids: await this.walk(manager, accountId, filter, range, total) };
    }
    return this.loadWithWords(manager, accountId, filter, range, NEWEST_FIRST);
  }

  /** A page of a search for words, by any order that has an index: of many matches, the first along the index are enough. */
  private async loadWithWords(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
    order: MailOrder,
  ): Promise<FoundPage> {
    const isNear = range.offset + range.limit <= WINDOW / 10;
    if (!isNear || (await this.totals.estimate(manager, accountId, filter)) <= GATHER_LIMIT) {
      return this.gather(manager, accountId, filter, range, undefined, order);
    }
    const ids = await this.walkWords(manager, accountId, filter, range, order);
    // Too few: the matches are further on, or this is the last page.
    if (ids.length < range.limit) return this.gather(manager, accountId, filter, range, undefined, order);
    return { ids, total: await this.totals.countTotal(manager, accountId, filter) };
  }

  /** A page of the mails of matching senders: by the index of senders, or mail by mail when the senders have many. */
  private async loadOfSenders(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
  ): Promise<FoundPage> {
    const matching = await countSenders(manager, accountId, filter.senderPattern!);
    if (matching.mails === 0) return { total: 0, ids: [] };
    if (filter.words !== null || searchesConditions(filter))
      return this.gather(manager, accountId, filter, range, matching.access);
    const total = isSenderOnly(filter)
      ? matching.mails
      : await this.totals.countTotal(manager, accountId, filter, matching.access);
    const from = pageFrom(range, total);
    const reach = from.offset + from.limit;
    const readBySender = Math.min(matching.mails, matching.lines * reach);
    const readByDate = reach * (matching.archived / matching.mails);
    const ids =
      readBySender > GATHER_LIMIT && readByDate < readBySender
        ? await this.walk(manager, accountId, filter, range, total)
        : await mergeSenders(manager, accountId, filter, from);
    return { total, ids };
  }

  /** A page read along the index of the order from its nearer end, testing mail by mail. */
  private async walk(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
    total: number,
    { sort, order }: MailOrder = NEWEST_FIRST,
  ): Promise<string[]> {
    const { where, parameters } = mailConditions(accountId, filter, 'each');
    const { limit, offset, isReversed } = pageFrom(range, total);
    if (limit === 0) return [];
    const ordered = orderBy([SORT_KEYS[sort], 'm.date', 'm.id'], isReversed ? opposite(order) : order);
    const sql = `SELECT m.id FROM archived_mails m WHERE ${where} ${ordered}`;
    const ids = await queryPageIds(manager, sql, parameters, { limit, offset });
    return isReversed ? ids.reverse() : ids;
  }

  /** Like `walk` for words, among the first mails only: a word may be common and yet long out of use. */
  private walkWords(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    range: PageRange,
    { sort, order }: MailOrder,
  ): Promise<string[]> {
    const { where, parameters } = mailConditions(accountId, filter);
    const dates = mailConditions(accountId, { ...NO_FILTER, until: filter.until });
    const until = filter.until ? ` AND m.date < $${parameters.length + 1}` : '';
    const ordered = orderBy([SORT_KEYS[sort], 'm.date', 'm.id'], order);
    return queryPageIds(
      manager,
      `SELECT m.id FROM (
         SELECT m.* FROM archived_mails m WHERE m.account_id = $1${until} ${ordered} LIMIT ${WINDOW}
       ) m JOIN archived_mail_words w ON w.mail_id = m.id
       WHERE ${where} ${ordered}`,
      [...parameters, ...dates.parameters.slice(1)],
      range,
    );
  }

  /** A page of all matches, which are counted and sorted in one statement. */
  private async gather(
    manager: EntityManager,
    accountId: string,
    filter: MailFilter,
    { limit, offset }: PageRange,
    senders?: SenderAccess,
    { sort, order }: MailOrder = NEWEST_FIRST,
  ): Promise<FoundPage> {
    const { where, parameters } = mailConditions(accountId, filter, senders);
    const key = SORT_KEYS[sort];
    const { from, id, date } = mailTables(filter, key !== null);
    const columns = [`${id} AS id`, `${date} AS date`, ...(key === null ? [] : [`${key} AS key`])];
    const ordered = orderBy([key === null ? null : 'key', 'date', 'id'], order);
    const [row] = typedRows(
      { total: column.text, ids: column.array(column.text) },
      await manager.query(
        `WITH matches AS MATERIALIZED (SELECT ${columns.join(', ')} FROM ${from} WHERE ${where})
       SELECT (SELECT count(*) FROM matches) AS total,
              ARRAY (SELECT id FROM matches ${ordered} LIMIT ${limit} OFFSET ${offset}) AS ids`,
        [...parameters],
      ),
    );
    return { ids: row?.ids ?? [], total: Number(row?.total) };
  }

  /** The mails of the given messages that the account has. */
  async findByMessageIds(accountId: string, messageIds: readonly string[]): Promise<ListedMail[]> {
    if (messageIds.length === 0) return [];
    const rows = await this.queryRows(
      LOADED_MAIL_ROW,
      `SELECT ${COLUMNS} FROM archived_mails m WHERE m.account_id = $1 AND m.mailbox_message_id = ANY ($2::text[])`,
      [accountId, messageIds],
    );
    return rows.map(toListedMail);
  }

  private async load(
    manager: EntityManager,
    accountId: string,
    ids: readonly string[],
  ): Promise<ListedMail[]> {
    const rows = typedRows(
      LOADED_MAIL_ROW,
      await manager.query(
        `SELECT ${COLUMNS} FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, place)
           JOIN archived_mails m ON m.account_id = $1 AND m.id = wanted.id
          ORDER BY wanted.place`,
        [accountId, ids],
      ),
    );
    return rows.map(toListedMail);
  }
}

/** The latest `archived_at` that a filter asks for. */
const lastIncluded = ({ archivedUntil }: MailFilter): Date | null =>
  archivedUntil && new Date(archivedUntil.getTime() - 1);

function isSenderOnly({ senderPattern, ...others }: MailFilter): boolean {
  return senderPattern !== null && Object.values(others).every((value) => value === null);
}
