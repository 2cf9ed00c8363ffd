import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';
import { column } from '../common/database/row-shape';

export interface EarlierMail {
  readonly messageId: string;
  readonly sizeBytes: number;
}

/** Mails that an interrupted import has already archived. */
@Injectable()
export class ImportedMailsRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** The database's clock, as text so that no digit is lost: `archived_at` comes from the same clock. */
  async now(): Promise<string> {
    const [row] = await this.rows({ now: column.text }, 'SELECT clock_timestamp()::text AS now');
    return (row as { now: string }).now;
  }

  /** Of some message ids those archived at or after an instant of `now()`. */
  async archivedSince(
    { userId, accountId }: { userId: string; accountId: string },
    messageIds: readonly string[],
    since: string,
  ): Promise<EarlierMail[]> {
    const rows = await this.rows(
      { mailbox_message_id: column.text, size_bytes: column.text },
      `SELECT mailbox_message_id, size_bytes FROM archived_mails
        WHERE account_id = $1 AND user_id = $2 AND mailbox_message_id = ANY ($3) AND archived_at >= $4::timestamptz`,
      [accountId, userId, messageIds, since],
    );
    return rows.map((row) => ({ messageId: row.mailbox_message_id, sizeBytes: Number(row.size_bytes) }));
  }
}
