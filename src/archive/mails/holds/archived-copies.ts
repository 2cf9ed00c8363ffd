import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import type { ArchiveOwner } from '../writing/mail-to-archive';

/** The archived copy of a message. */
export interface ArchivedCopy {
  /** Id of the mail in the archive. */
  readonly mailId: string;
  readonly messageId: string;
  /** RFC 5322 Message-ID with angle brackets; null: none. */
  readonly messageIdHeader: string | null;
  /** SHA-256 of the message, hex, whether its file is encrypted or not; null: not known. */
  readonly contentSha256: string | null;
  /** SHA-256 of the stored file, 64 hex digits. */
  readonly fileSha256: string;
  readonly storage: string;
  readonly storageKey: string;
  /** Size of the message in bytes. */
  readonly sizeBytes: number;
  readonly date: Date;
  /** The later of its date and its arrival: retention and offloads count its age from here. */
  readonly ageingFrom: Date;
  readonly labelIds: readonly string[];
  readonly isEncrypted: boolean;
}

type CopyRow = Omit<ArchivedCopy, 'sizeBytes'> & { readonly sizeBytes: string };

const COPY_ROW: RowShape<CopyRow> = {
  mailId: column.text,
  messageId: column.text,
  messageIdHeader: column.nullable(column.text),
  contentSha256: column.nullable(column.text),
  fileSha256: column.text,
  storage: column.text,
  storageKey: column.text,
  sizeBytes: column.text,
  date: column.date,
  ageingFrom: column.date,
  labelIds: column.array(column.text),
  isEncrypted: column.boolean,
};

const COLUMNS = `m.id AS "mailId", m.mailbox_message_id AS "messageId", m.message_id_header AS "messageIdHeader",
       coalesce(m.content_sha256, CASE WHEN NOT m.is_encrypted THEN m.sha256 END) AS "contentSha256",
       m.sha256 AS "fileSha256", m.storage, m.storage_key AS "storageKey", m.size_bytes AS "sizeBytes", m.date,
       greatest(m.date, m.received_at) AS "ageingFrom",
       m.label_ids AS "labelIds", m.is_encrypted AS "isEncrypted"`;

const THESE = 'id = ANY (ARRAY(SELECT unnest($4::uuid[]))) AND account_id = $2 AND user_id = $1';

/** Finds the copies of messages, and records the moves of their messages. */
@Injectable()
export class ArchivedCopies extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The copies of messages, by message id. */
  async findByMessages(
    { userId, accountId }: ArchiveOwner,
    messageIds: readonly string[],
  ): Promise<Map<string, ArchivedCopy>> {
    const rows = await this.queryRows(
      COPY_ROW,
      // Each mail is looked up by its key, as in ArchiveWritesRepository.
      `SELECT ${COLUMNS}
       FROM (SELECT DISTINCT message_id FROM unnest($3::text[]) AS message_id) asked
       CROSS JOIN LATERAL (
         SELECT * FROM archived_mails
         WHERE account_id = $2 AND mailbox_message_id = asked.message_id AND user_id = $1 LIMIT 1
       ) m`,
      [userId, accountId, messageIds],
    );
    return new Map(rows.map((row) => [row.messageId, toCopy(row)]));
  }

  /** The copies with these mail ids. @param transaction has locked the account's archive: the copies stay as they are until it ends */
  async findByMails(
    { userId, accountId }: ArchiveOwner,
    mailIds: readonly string[],
    transaction?: Transaction,
  ): Promise<Map<string, ArchivedCopy>> {
    const rows = await this.queryRows(
      COPY_ROW,
      `SELECT ${COLUMNS} FROM archived_mails m
       WHERE m.id = ANY (ARRAY(SELECT unnest($3::uuid[]))) AND m.account_id = $2 AND m.user_id = $1`,
      [userId, accountId, mailIds],
      transaction,
    );
    return new Map(rows.map((row) => [row.mailId, toCopy(row)]));
  }

  /** Notes that the messages of some mails are being moved to the trash: from now on each copy may be the only one. */
  async markMoving(
    { userId, accountId }: ArchiveOwner,
    planId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE archived_mails SET offload_plan_id = $3, presence = NULL WHERE ${THESE}`,
      [userId, accountId, planId, mailIds],
      transaction,
    );
  }

  /** Notes that the messages are in the trash. */
  async markOffloaded(
    { userId, accountId }: ArchiveOwner,
    planId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE archived_mails SET offload_plan_id = $3, presence = CASE WHEN presence = 'gone' THEN presence ELSE 'trash' END
       WHERE ${THESE}`,
      [userId, accountId, planId, mailIds],
      transaction,
    );
  }

  /** Notes that the messages are in the mailbox no more, and were being moved before: each copy may be the only one. */
  async markGone(
    { userId, accountId }: ArchiveOwner,
    planId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE archived_mails SET offload_plan_id = $3, presence = 'gone' WHERE ${THESE}`,
      [userId, accountId, planId, mailIds],
      transaction,
    );
  }

  /** Notes that the messages were not moved after all. */
  async markStaying(
    { userId, accountId }: ArchiveOwner,
    planId: string,
    mailIds: readonly string[],
    transaction: Transaction,
  ): Promise<void> {
    await this.execute(
      `UPDATE archived_mails SET offload_plan_id = NULL, presence = coalesce(presence, 'mailbox')
       WHERE ${THESE} AND offload_plan_id = $3`,
      [userId, accountId, planId, mailIds],
      transaction,
    );
  }
}

const toCopy = (row: CopyRow): ArchivedCopy => ({ ...row, sizeBytes: Number(row.sizeBytes) });
