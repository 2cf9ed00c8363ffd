import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity, ArchiveTotalsEntity } from '../archive/archived-mail.entity';
import type { ArchiveOwner } from '../archive/writing/mail-to-archive';
import { BaseRepository } from '../common/database/base.repository';
import type { Transaction } from '../common/database/transactions';
import type { EncryptedMail, PlainMail } from './mail-to-encrypt';
import { column, RowShape } from '../common/database/row-shape';

/** A place in the walk over an account's mails, by date and id. */
export type Position = Pick<PlainMail, 'date' | 'id'>;

export interface WalkedRange {
  /** null: from the first mail on. */
  readonly after: Position | null;
  /** Only mails archived since; null: all. */
  readonly since: string | null;
  /** What `isRecent` is told by. */
  readonly recentSince: string;
  readonly limit: number;
}

interface PlainRow {
  id: string;
  date: string;
  storage: string;
  storage_key: string;
  size_bytes: string;
  sha256: string;
  is_recent: boolean;
}

const PLAIN_ROW: RowShape<PlainRow> = {
  id: column.text,
  date: column.text,
  storage: column.text,
  storage_key: column.text,
  size_bytes: column.text,
  sha256: column.text,
  is_recent: column.boolean,
};

const BEFORE_ALL: Position = { date: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Archived mails on their way from plain to encrypted. */
@Injectable()
export class MailsToEncryptRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The database's clock some time ago: no transaction that has not ended yet archives mail with an earlier one. */
  async recently(minutes: number): Promise<string> {
    const [row] = await this.rows(
      { instant: column.text },
      `SELECT (clock_timestamp() - make_interval(mins => $1::int))::text AS instant`,
      [minutes],
    );
    return (row as { instant: string }).instant;
  }

  /** Mails of the account, exactly. */
  async counts({ accountId }: ArchiveOwner): Promise<{ plain: number; encrypted: number }> {
    const [row] = await this.rows(
      { plain: column.number, encrypted: column.number },
      'SELECT mails - encrypted AS plain, encrypted FROM archive_totals WHERE account_id = $1',
      [accountId],
    );
    return row ?? { plain: 0, encrypted: 0 };
  }

  /** Mails that are not encrypted, by date and id. */
  async next({ userId, accountId }: ArchiveOwner, range: WalkedRange): Promise<PlainMail[]> {
    const { date, id } = range.after ?? BEFORE_ALL;
    const rows = await this.rows(
      PLAIN_ROW,
      `SELECT id, date::text AS date, storage, storage_key, size_bytes, sha256,
              archived_at >= $7::timestamptz AS is_recent
         FROM archived_mails
        WHERE account_id = $1 AND user_id = $2 AND NOT is_encrypted
          AND (archived_mails.date, id) > ($3::timestamptz, $4::uuid) AND archived_at >= $5::timestamptz
        ORDER BY archived_mails.date, id LIMIT $6`,
      [accountId, userId, date, id, range.since ?? '-infinity', range.limit, range.recentSince],
    );
    return rows.map((row) => ({
      id: row.id,
      date: row.date,
      storage: row.storage,
      storageKey: row.storage_key,
      sizeBytes: Number(row.size_bytes),
      sha256: row.sha256,
      isRecent: row.is_recent,
    }));
  }

  /** Those of some mails whose rows still say the same. @returns ids */
  async unchanged({ accountId }: ArchiveOwner, mails: readonly PlainMail[]): Promise<Set<string>> {
    const rows = await this.rows(
      { id: column.text },
      `SELECT m.id FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) AS t (id, storage, storage_key, sha256)
         CROSS JOIN LATERAL (
           SELECT * FROM archived_mails WHERE archived_mails.id = t.id AND account_id = $1 LIMIT 1
         ) m
        WHERE NOT m.is_encrypted AND m.storage = t.storage AND m.storage_key = t.storage_key
          AND m.sha256::text = t.sha256`,
      [accountId, ...columnsOf(mails)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Makes rows name their encrypted files, and takes what was written in the bodies out of search and previews. Rows
   * that have gone or say something else by now are left out.
   * @param transaction holds the lock of the account's archive
   * @returns ids
   */
  async markEncrypted(
    { accountId }: ArchiveOwner,
    mails: readonly EncryptedMail[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const rows = await this.rows(
      { id: column.text },
      `UPDATE archived_mails m
          SET is_encrypted = true, storage_key = t.new_key, sha256 = t.new_sha256, snippet = ''
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
           AS t (id, storage, storage_key, sha256, new_key, new_sha256)
        WHERE m.id = t.id AND m.account_id = $1 AND NOT m.is_encrypted AND m.storage = t.storage
          AND m.storage_key = t.storage_key AND m.sha256::text = t.sha256
       RETURNING m.id`,
      [
        accountId,
        ...columnsOf(mails.map(({ plain }) => plain)),
        mails.map(({ storageKey }) => storageKey),
        mails.map(({ sha256 }) => sha256),
      ],
      transaction,
    );
    const ids = rows.map(({ id }) => id);
    // Words of weight D are those of the body. What keeps them out of their row is to be written with them.
    await this.affected(
      `UPDATE archived_mail_words SET words = ts_filter(words, '{a,b,c}'), padding = DEFAULT
        WHERE mail_id = ANY (ARRAY(SELECT unnest($1::uuid[])))`,
      [ids],
      transaction,
    );
    return new Set(ids);
  }

  /** Encrypted mails whose files have a tag, and their size. @param after where the walk stood before that batch */
  async encryptedAs(
    tag: string,
    { accountId }: ArchiveOwner,
    after: Position | null,
  ): Promise<{ mails: number; bytes: number }> {
    const { date, id } = after ?? BEFORE_ALL;
    const [row] = await this.rows(
      { mails: column.number, bytes: column.text },
      `SELECT count(*)::int AS mails, coalesce(sum(size_bytes), 0) AS bytes FROM archived_mails
        WHERE account_id = $1 AND (date, id) > ($2::timestamptz, $3::uuid) AND is_encrypted
          AND storage_key LIKE '%.' || $4 || '.eml'`,
      [accountId, date, id, tag],
    );
    return { mails: row?.mails ?? 0, bytes: Number(row?.bytes ?? 0) };
  }
}

const columnsOf = (mails: readonly PlainMail[]): string[][] => [
  mails.map(({ id }) => id),
  mails.map(({ storage }) => storage),
  mails.map(({ storageKey }) => storageKey),
  mails.map(({ sha256 }) => sha256),
];

/** How many mails of an account are encrypted. */
@Injectable()
export class EncryptionTotalsRepository extends BaseRepository<ArchiveTotalsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchiveTotalsEntity);
  }

  async of(accountId: string): Promise<{ total: number; encrypted: number }> {
    const totals = await this.table().findOneBy({ accountId });
    return { total: totals?.mails ?? 0, encrypted: totals?.encrypted ?? 0 };
  }
}
