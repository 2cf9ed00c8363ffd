import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, typedRows } from '../../platform/database/row-shape';
import { ArchivedMailEntity } from './archived-mail.entity';
import { type MailFilter, mailConditions, mailTables, searchesWords } from './mail-filter';
import { countSenders } from './matching-senders';

/** Sums over some mails. */
export interface ChosenSums {
  readonly mails: number;
  /** Bytes of the EML files. */
  readonly bytes: number;
  readonly encrypted: number;
}

/** Mails that requests are about, by their ids or by what a list of them would show. */
@Injectable()
export class ChosenMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** @returns at most `limit` of the ids, in no order */
  findMatching(accountId: string, filter: MailFilter, limit: number): Promise<string[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      // Reading every mail's words from the table costs a hundred times the planner's estimate.
      if (searchesWords(filter)) await manager.query(`SELECT set_config('enable_seqscan', 'off', true)`);
      const senders =
        filter.senderPattern === null
          ? undefined
          : (await countSenders(manager, accountId, filter.senderPattern)).access;
      const { where, parameters } = mailConditions(accountId, filter, senders);
      const { from, id } = mailTables(filter);
      const rows = typedRows(
        { id: column.text },
        await manager.query(`SELECT ${id} AS id FROM ${from} WHERE ${where} LIMIT ${limit}`, [...parameters]),
      );
      return rows.map((row) => row.id);
    });
  }

  /** @param ids null: all mails of the account */
  async sumsOf(accountId: string, ids: readonly string[] | null): Promise<ChosenSums> {
    const [row] = await this.queryRows(
      { mails: column.number, bytes: column.text, encrypted: column.number },
      `SELECT count(*)::int AS mails, coalesce(sum(size_bytes), 0) AS bytes,
              (count(*) FILTER (WHERE is_encrypted))::int AS encrypted
         FROM archived_mails WHERE account_id = $1 AND ($2::uuid[] IS NULL OR id = ANY ($2::uuid[]))`,
      [accountId, ids],
    );
    const { mails, bytes, encrypted } = row!;
    return { mails, bytes: Number(bytes), encrypted };
  }
}
