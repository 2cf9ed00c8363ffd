import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import { AttachedTextsRepository } from './attached-texts/attached-texts.repository';
import { ArchivedMailEntity } from './archived-mail.entity';
import { MailPosition, START, StoredMail } from './stored-mails';
import type { ArchiveOwner } from './writing/mail-to-archive';
import { PassagesRepository } from './writing/passages.repository';

/** A mail and the file its row names. */
export type FileOfMail = Pick<StoredMail, 'id' | 'storage' | 'storageKey' | 'sha256'>;

/** A plain mail and its encrypted file, which is in the same store. */
export interface ReplacedFile {
  readonly plain: FileOfMail;
  readonly storageKey: string;
  /** SHA-256 of the encrypted file, 64 hex digits. */
  readonly sha256: string;
}

/** Rows of mails that change from plain to encrypted. */
@Injectable()
export class MailEncryptionRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(
    dataSource: DataSource,
    private readonly passages: PassagesRepository,
    private readonly attachedTexts: AttachedTextsRepository,
  ) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The database's clock some minutes ago. */
  async readClockMinutesAgo(minutes: number): Promise<string> {
    const [row] = await this.queryRows(
      { instant: column.text },
      `SELECT (clock_timestamp() - make_interval(mins => $1::int))::text AS instant`,
      [minutes],
    );
    return row!.instant;
  }

  /** The given mails that are still plain and have the same file. @returns their ids */
  async findUnchanged({ accountId }: ArchiveOwner, mails: readonly FileOfMail[]): Promise<Set<string>> {
    const rows = await this.queryRows(
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
   * Makes rows name their encrypted files, and removes the text of bodies and attachments from search and previews. Rows that are
   * gone or name another file by now are left out.
   * @param transaction has locked the account's archive
   * @returns ids
   */
  async markEncrypted(
    { accountId }: ArchiveOwner,
    mails: readonly ReplacedFile[],
    transaction: Transaction,
  ): Promise<Set<string>> {
    const rows = await this.queryRows(
      { id: column.text },
      `UPDATE archived_mails m
          SET is_encrypted = true, storage_key = t.new_key, content_sha256 = m.sha256, sha256 = t.new_sha256, snippet = ''
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
    await this.removeText(accountId, ids, transaction);
    return new Set(ids);
  }

  /**
   * Removes the text of encrypted mails and of their attachments from search and previews.
   * @param transaction has locked the account's archive
   */
  async removeText(accountId: string, ids: readonly string[], transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archived_mails SET snippet = ''
        WHERE account_id = $1 AND id = ANY (ARRAY(SELECT unnest($2::uuid[]))) AND is_encrypted AND snippet <> ''`,
      [accountId, ids],
      transaction,
    );
    // Words of weight D are those of the body and of attachments. The padding has to be written with them.
    await this.executeAndCount(
      `UPDATE archived_mail_words SET words = ts_filter(words, '{a,b,c}'), padding = DEFAULT
        WHERE account_id = $1 AND mail_id = ANY (ARRAY(SELECT unnest($2::uuid[])))`,
      [accountId, ids],
      transaction,
    );
    await this.passages.removeBodies(accountId, ids, transaction);
    await this.attachedTexts.removeEncrypted(accountId, ids, transaction);
  }

  /** The number and size of encrypted mails whose files have a tag. @param after the position before that batch */
  async countEncryptedAs(
    tag: string,
    { accountId }: ArchiveOwner,
    after: MailPosition | null,
  ): Promise<{ mails: number; bytes: number }> {
    const { id } = after ?? START;
    const [row] = await this.queryRows(
      { mails: column.number, bytes: column.text },
      `SELECT count(*)::int AS mails, coalesce(sum(size_bytes), 0) AS bytes FROM archived_mails
        WHERE account_id = $1 AND id > $2::uuid AND is_encrypted AND storage_key LIKE '%.' || $3 || '.eml'`,
      [accountId, id, tag],
    );
    return { mails: row?.mails ?? 0, bytes: Number(row?.bytes ?? 0) };
  }
}

const columnsOf = (mails: readonly FileOfMail[]): string[][] => [
  mails.map(({ id }) => id),
  mails.map(({ storage }) => storage),
  mails.map(({ storageKey }) => storageKey),
  mails.map(({ sha256 }) => sha256),
];
