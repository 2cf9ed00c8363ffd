import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity, MAIL_TEXT_STATES, type MailTextState } from '../archived-mail.entity';
import type { LocatedMail } from '../mail-content-reader';
import { mailConditions, mailFilter, mailTables } from '../mail-filter';
import { READER_VERSION } from '../rereading/reader-version';

/** Mails looked at for each one that is checked: those that wait or cannot be read are passed over. */
const SPARE = 2;
/** Time after which a search of a check ends, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A mail that is checked. */
export interface SampledMail {
  readonly mail: LocatedMail;
  readonly textState: MailTextState;
}

const SAMPLED_ROW: RowShape<SampledRow> = {
  id: column.text,
  storage: column.text,
  storage_key: column.text,
  size_bytes: column.number,
  sha256: column.text,
  is_encrypted: column.boolean,
  text_state: column.oneOf(MAIL_TEXT_STATES),
};

interface SampledRow {
  readonly id: string;
  readonly storage: string;
  readonly storage_key: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly is_encrypted: boolean;
  readonly text_state: MailTextState;
}

/** Compares what the index has of a mail with what it should have. */
@Injectable()
export class IndexProbesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Mails of an account at random, without those that are to be read again or could not be read. */
  async sample(accountId: string, most: number, largest: number): Promise<SampledMail[]> {
    const rows = await this.queryRows(
      SAMPLED_ROW,
      `SELECT m.id, m.storage, m.storage_key, m.size_bytes::float8 AS size_bytes, m.sha256::text AS sha256, m.is_encrypted, m.text_state
         FROM (SELECT id FROM archived_mails WHERE account_id = $1 ORDER BY random() LIMIT $2) picked
         JOIN archived_mails m ON m.id = picked.id AND m.account_id = $1
        WHERE m.is_encrypted OR (m.reader_version >= ${READER_VERSION} AND m.text_state <> 'failed' AND m.size_bytes <= $4)
        LIMIT $3`,
      [accountId, SPARE * most, most, largest],
    );
    return rows.map((row) => ({
      textState: row.text_state,
      mail: {
        id: row.id,
        accountId,
        storage: row.storage,
        storageKey: row.storage_key,
        sizeBytes: row.size_bytes,
        sha256: row.sha256,
        isEncrypted: row.is_encrypted,
      },
    }));
  }

  /** Whether a mail has the same file as it had, and is neither encrypted nor to be read again. */
  async isUnchanged({ id, accountId, storageKey }: LocatedMail, transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      `SELECT FROM archived_mails
        WHERE account_id = $1 AND id = $2 AND storage_key = $3 AND NOT is_encrypted AND reader_version >= ${READER_VERSION}`,
      [accountId, id, storageKey],
      transaction,
    );
    return rows.length > 0;
  }

  /**
   * Whether the index finds a mail by a search. All mails that match are found first, so that the index is asked and not the row of
   * the mail.
   * @param q as searches of the archive take it
   */
  async isFound(
    { id, accountId }: Pick<LocatedMail, 'id' | 'accountId'>,
    q: string,
    transaction: Transaction,
  ): Promise<boolean> {
    const filter = mailFilter({ q });
    const { where, parameters } = mailConditions(accountId, filter, 'each');
    const { from, id: idColumn } = mailTables(filter);
    await this.execute(
      `SELECT set_config('enable_seqscan', 'off', true), set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
      [],
      transaction,
    );
    const rows = await this.queryRows(
      {},
      `WITH found AS MATERIALIZED (SELECT ${idColumn} AS id FROM ${from} WHERE ${where})
       SELECT FROM found WHERE id = $${parameters.length + 1}`,
      [...parameters, id],
      transaction,
    );
    return rows.length > 0;
  }

  /** Whether anything is left in the index or the preview of the text of an encrypted mail, or of its attachments. */
  async hasTextOfEncrypted({ id, accountId }: LocatedMail, transaction?: Transaction): Promise<boolean> {
    const [row] = await this.queryRows(
      { is_left: column.boolean },
      `SELECT m.snippet <> ''
              OR EXISTS (SELECT FROM archived_mail_words WHERE account_id = $1 AND mail_id = $2 AND ts_filter(words, '{d}') <> '')
              OR EXISTS (SELECT FROM archived_mail_passages WHERE account_id = $1 AND mail_id = $2 AND ts_filter(words, '{d}') <> '')
              OR EXISTS (SELECT FROM archived_attachment_pages WHERE account_id = $1 AND mail_id = $2)
              OR EXISTS (SELECT FROM archived_attachments WHERE account_id = $1 AND mail_id = $2 AND content_sha256 IS NOT NULL)
              AS is_left
         FROM archived_mails m WHERE m.account_id = $1 AND m.id = $2 AND m.is_encrypted`,
      [accountId, id],
      transaction,
    );
    return row?.is_left ?? false;
  }

  /** Makes searches be counted again: the version of the row tells whether a counted one still holds. */
  async endCountedSearches(accountId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      'UPDATE archive_totals SET bytes = bytes WHERE account_id = $1',
      [accountId],
      transaction,
    );
  }

  /** Writes the row with the words of a mail anew, also into the index, or an empty one if there is none. */
  async rewriteWords(
    { id, accountId }: Pick<LocatedMail, 'id' | 'accountId'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `WITH removed AS (DELETE FROM archived_mail_words WHERE account_id = $1 AND mail_id = $2 RETURNING words)
       INSERT INTO archived_mail_words (mail_id, account_id, date, has_attachments, words)
       SELECT id, account_id, date, has_attachments, coalesce((SELECT words FROM removed), '') FROM archived_mails
        WHERE account_id = $1 AND id = $2`,
      [accountId, id],
      transaction,
    );
  }
}
