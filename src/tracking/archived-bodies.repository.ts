import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import type { LocatedMail } from '../archive/mail-content-reader';
import { BaseRepository } from '../common/database/base.repository';
import { column, RowShape } from '../common/database/row-shape';

interface Row extends Omit<LocatedMail, 'sizeBytes'> {
  readonly messageId: string;
  readonly sizeBytes: string;
}

const ROW: RowShape<Row> = {
  ...{
    storageKey: column.text,
    storage: column.text,
    accountId: column.text,
    id: column.text,
    sha256: column.text,
    isEncrypted: column.boolean,
  },
  messageId: column.text,
  sizeBytes: column.text,
};

/** Where messages of a live mailbox lie in the archive. */
@Injectable()
export class ArchivedBodiesRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Those of the messages that are archived and not encrypted, by message id. */
  async plain(accountId: string, messageIds: readonly string[]): Promise<Map<string, LocatedMail>> {
    const rows = await this.rows(
      ROW,
      `SELECT mailbox_message_id AS "messageId", id, account_id AS "accountId", storage,
              storage_key AS "storageKey", size_bytes AS "sizeBytes", sha256, is_encrypted AS "isEncrypted"
         FROM archived_mails
        WHERE account_id = $1 AND mailbox_message_id = ANY ($2::text[]) AND NOT is_encrypted`,
      [accountId, messageIds],
    );
    return new Map(
      rows.map(({ messageId, ...mail }) => [messageId, { ...mail, sizeBytes: Number(mail.sizeBytes) }]),
    );
  }
}
