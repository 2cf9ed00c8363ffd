import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { storableText } from '../../../platform/database/column-values';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailPassageEntity } from '../archived-mail.entity';
import {
  type IndexedWords,
  MAX_POSITION,
  MAX_POSITIONS_PER_LEXEME,
  MAX_VECTOR_BYTES,
  passagesOf,
} from '../search/search-vector';

/** A passage of a mail, as input for `$1::tsvector`. */
export interface Passage {
  readonly mailId: string;
  readonly vector: string;
}

/** Words that are added to a mail. */
export interface FurtherWords {
  readonly mailId: string;
  readonly words: IndexedWords;
}

/** Words of long mails. See ADR 117. */
@Injectable()
export class PassagesRepository extends BaseRepository<ArchivedMailPassageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailPassageEntity);
  }

  /** Adds passages to mails, in one statement. */
  async add(accountId: string, passages: readonly Passage[], transaction: Transaction): Promise<void> {
    await this.execute(
      `INSERT INTO archived_mail_passages (id, account_id, mail_id, words)
       SELECT gen_random_uuid(), $1, t.mail_id, t.words::tsvector FROM unnest($2::uuid[], $3::text[]) AS t (mail_id, words)`,
      [accountId, passages.map(({ mailId }) => mailId), passages.map(({ vector }) => storableText(vector))],
      transaction,
    );
  }

  /** Replaces all passages of mails. @returns the number of rows deleted and inserted */
  async replace(
    accountId: string,
    mailIds: readonly string[],
    passages: readonly Passage[],
    transaction: Transaction,
  ): Promise<number> {
    const deleted = await this.executeAndCount(
      'DELETE FROM archived_mail_passages WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))',
      [accountId, mailIds],
      transaction,
    );
    if (passages.length > 0) await this.add(accountId, passages, transaction);
    return deleted + passages.length;
  }

  /**
   * Adds words to mails of any length. A mail whose words no longer fit into one tsvector becomes a long one.
   * @param transaction has locked the account's archive
   */
  async addFurther(
    accountId: string,
    mails: readonly FurtherWords[],
    transaction: Transaction,
  ): Promise<void> {
    const short = mails.filter(({ words }) => words.passages.length === 0);
    await this.moveToPassages(accountId, mails, transaction);
    await this.execute(
      `UPDATE archived_mail_words w SET words = w.words || t.words::tsvector, padding = DEFAULT
         FROM unnest($2::uuid[], $3::text[]) AS t (mail_id, words)
        WHERE w.account_id = $1 AND w.mail_id = t.mail_id
          AND NOT EXISTS (SELECT FROM archived_mail_passages p WHERE p.account_id = $1 AND p.mail_id = w.mail_id)`,
      [accountId, short.map(({ mailId }) => mailId), short.map(({ words }) => storableText(words.vector))],
      transaction,
    );
    const passages = mails.flatMap(({ mailId, words }) =>
      passagesOf(words).map((vector) => ({ mailId, vector })),
    );
    await this.execute(
      `INSERT INTO archived_mail_passages (id, account_id, mail_id, words)
       SELECT gen_random_uuid(), $1, t.mail_id, t.words::tsvector FROM unnest($2::uuid[], $3::text[]) AS t (mail_id, words)
        WHERE EXISTS (SELECT FROM archived_mail_passages p WHERE p.account_id = $1 AND p.mail_id = t.mail_id)`,
      [accountId, passages.map(({ mailId }) => mailId), passages.map(({ vector }) => storableText(vector))],
      transaction,
    );
  }

  /** Moves the words of mails that have no room for the further ones to a first passage. */
  private async moveToPassages(
    accountId: string,
    mails: readonly FurtherWords[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `WITH long AS (
         UPDATE archived_mail_words w SET words = '', padding = DEFAULT
           FROM (
             SELECT before.mail_id, before.words FROM unnest($2::uuid[], $3::boolean[], $4::int[], $5::int[], $6::int[])
               AS t (mail_id, is_long, positions, occurrences, bytes)
               JOIN archived_mail_words before ON before.account_id = $1 AND before.mail_id = t.mail_id
              CROSS JOIN LATERAL (
                SELECT coalesce(max(positions[cardinality(positions)]), 0) AS positions,
                       coalesce(max(cardinality(positions)), 0) AS occurrences
                  FROM unnest(before.words)
              ) AS own
              WHERE NOT EXISTS (SELECT FROM archived_mail_passages p WHERE p.account_id = $1 AND p.mail_id = t.mail_id)
                AND (t.is_long OR own.positions + t.positions >= ${MAX_POSITION}
                  OR own.occurrences + t.occurrences > ${MAX_POSITIONS_PER_LEXEME}
                  OR pg_column_size(before.words) + t.bytes > ${MAX_VECTOR_BYTES})
           ) AS moved
          WHERE w.account_id = $1 AND w.mail_id = moved.mail_id
        RETURNING w.mail_id, moved.words
       )
       INSERT INTO archived_mail_passages (id, account_id, mail_id, words) SELECT gen_random_uuid(), $1, mail_id, words FROM long`,
      [
        accountId,
        mails.map(({ mailId }) => mailId),
        mails.map(({ words }) => words.passages.length > 0),
        mails.map(({ words }) => words.lastPosition),
        mails.map(({ words }) => words.mostOccurrences),
        mails.map(({ words }) => words.vector.length),
      ],
      transaction,
    );
  }

  /** Removes the words of bodies (weight D) from passages. @param mailIds mails of an account */
  async removeBodies(accountId: string, mailIds: readonly string[], transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archived_mail_passages SET words = ts_filter(words, '{a,b,c}')
        WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))`,
      [accountId, mailIds],
      transaction,
    );
  }
}
