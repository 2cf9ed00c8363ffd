import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import { ArchivedMailEntity } from '../archived-mail.entity';
import type { IndexGaps } from './index-gaps';
import { MAILS_OF_CLASS, RETRIED_CLASSES } from './index-class';

/** Most mails that are counted: each search of an archive asks for their number. */
const MOST = 10_000;

const GAPS_ROW: RowShape<Omit<IndexGaps, 'isExact'>> = {
  mails: column.number,
  waiting: column.number,
  total: column.number,
};

const mailsIn = (condition: string, waits: boolean): string =>
  `(SELECT m.id, ${waits} AS waits FROM archived_mails m WHERE m.account_id = $1 AND ${condition} LIMIT ${MOST + 1})`;

/** In the order of the index, so that no more is read than is counted. */
const mailsWithFiles = (state: string): string =>
  `(SELECT DISTINCT mail_id, ${state === 'waiting'} FROM archived_attachments
     WHERE account_id = $1 AND text_state = '${state}' ORDER BY mail_id LIMIT ${MOST + 1})`;

const GAPS = {
  name: 'index-gaps',
  sql: `SELECT count(*)::int AS mails, count(*) FILTER (WHERE waits)::int AS waiting,
               coalesce((SELECT mails FROM archive_totals WHERE account_id = $1), 0) AS total
          FROM (SELECT id, bool_or(waits) AS waits FROM (
            ${mailsIn(MAILS_OF_CLASS.waiting, true)}
            ${RETRIED_CLASSES.map((name) => `UNION ALL ${mailsIn(MAILS_OF_CLASS[name], false)}`).join(' ')}
            ${['waiting', ...RETRIED_CLASSES].map((state) => `UNION ALL ${mailsWithFiles(state)}`).join(' ')}
          ) parts GROUP BY id) gaps`,
};

/** Counts the mails that searches may miss. */
@Injectable()
export class IndexGapsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Counts them in an account, up to 10,000. */
  async count(accountId: string): Promise<IndexGaps> {
    const [row] = await this.readRows(GAPS_ROW, GAPS, [accountId]);
    const { mails, waiting, total } = row!;
    return { mails: Math.min(mails, MOST), waiting: Math.min(waiting, MOST), isExact: mails <= MOST, total };
  }
}
