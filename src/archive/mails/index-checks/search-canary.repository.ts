import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import { SIGN_CODE } from '../search/field-words';
import { quoteLexeme } from '../search/search-vector';

/** Newest mails of an account among which one with words is looked for. */
const NEWEST = 20;
/** Words that are searched for: the longest, which few other mails have. */
const WORDS = 3;
/** Time after which the search ends, in milliseconds. */
const TIMEOUT_MS = 2_000;

/** A mail and some of its words. */
export interface KnownMail {
  readonly mailId: string;
  readonly accountId: string;
  /** For `$1::tsquery`. */
  readonly query: string;
}

/** Searches for a mail by words that its row has. */
@Injectable()
export class SearchCanaryRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Whether the index is there and complete. */
  async isUsable(transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT FROM pg_index WHERE indexrelid = to_regclass('archived_mail_words_search_idx') AND indisvalid`,
      [],
      transaction,
    );
    return rows.length > 0;
  }

  /** One of the newest mails of any account; null: there is none with words. */
  async findKnown(transaction: Transaction): Promise<KnownMail | null> {
    await this.execute(
      `SELECT set_config('enable_seqscan', 'off', true), set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
      [],
      transaction,
    );
    const [row] = await this.queryRows(
      { mail_id: column.text, account_id: column.text, lexemes: column.array(column.text) },
      `SELECT w.mail_id, w.account_id, ARRAY(
                SELECT lexeme FROM unnest(tsvector_to_array(w.words)) AS lexeme
                 WHERE left(lexeme, 1) <> $1 ORDER BY length(lexeme) DESC, lexeme LIMIT ${WORDS}) AS lexemes
         FROM (SELECT account_id FROM archive_totals WHERE mails > encrypted ORDER BY random() LIMIT 1) picked
        CROSS JOIN LATERAL (
          SELECT id FROM archived_mails WHERE account_id = picked.account_id ORDER BY date DESC, id DESC LIMIT ${NEWEST}
        ) newest
         JOIN archived_mail_words w ON w.mail_id = newest.id AND w.account_id = picked.account_id
        WHERE w.words <> '' LIMIT 1`,
      [String.fromCharCode(SIGN_CODE)],
      transaction,
    );
    if (!row || row.lexemes.length === 0) return null;
    return {
      mailId: row.mail_id,
      accountId: row.account_id,
      query: row.lexemes.map(quoteLexeme).join(' & '),
    };
  }

  /** Whether the index finds a mail by its words: all mails with them are found first, so that its row is not asked. */
  async isFound({ mailId, accountId, query }: KnownMail, transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `WITH found AS MATERIALIZED (SELECT mail_id FROM archived_mail_words WHERE account_id = $1 AND words @@ $2::tsquery)
       SELECT FROM found WHERE mail_id = $3`,
      [accountId, query, mailId],
      transaction,
    );
    return rows.length > 0;
  }
}
