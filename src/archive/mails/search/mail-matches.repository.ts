import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { type MailFilter, mailConditions, mailTables } from '../mail-filter';
import { wordsSought } from './mail-condition';
import { tsqueryOf } from './word-query';

/** Tells which of given mails a search matches, and how well. */
@Injectable()
export class MailMatchesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The ids of those of the messages whose archived copy a filter finds. */
  async findMatching(
    accountId: string,
    filter: MailFilter,
    messageIds: readonly string[],
  ): Promise<Set<string>> {
    if (messageIds.length === 0) return new Set();
    const { where, parameters } = mailConditions(accountId, filter, 'each');
    const { from } = mailTables(filter, true);
    const rows = await this.queryRows(
      { message_id: column.text },
      `SELECT m.mailbox_message_id AS message_id FROM ${from}
        WHERE ${where} AND m.account_id = $1 AND m.mailbox_message_id = ANY ($${parameters.length + 1}::text[])`,
      [...parameters, messageIds],
    );
    return new Set(rows.map((row) => row.message_id));
  }

  /**
   * The fit of each of the mails with the words of a filter: more for words of the subject and the sender than for those of the
   * text (ts_rank). Long mails are ranked by their best passage. Mails without words have no rank.
   */
  async rank(
    accountId: string,
    filter: MailFilter,
    mailIds: readonly string[],
  ): Promise<Map<string, number>> {
    const sought = (filter.conditions ?? []).flatMap(wordsSought);
    if (filter.words !== null) sought.push(filter.words);
    if (sought.length === 0 || mailIds.length === 0) return new Map();
    const rows = await this.queryRows(
      { mail_id: column.text, rank: column.number },
      `SELECT mail_id, max(ts_rank(words, $2::tsquery))::float8 AS rank FROM (
         SELECT mail_id, words FROM archived_mail_words WHERE account_id = $1 AND mail_id = ANY ($3::uuid[])
         UNION ALL
         SELECT mail_id, words FROM archived_mail_passages WHERE account_id = $1 AND mail_id = ANY ($3::uuid[])
       ) found GROUP BY mail_id`,
      [accountId, tsqueryOf({ any: sought }), mailIds],
    );
    return new Map(rows.map(({ mail_id, rank }) => [mail_id, rank]));
  }
}
