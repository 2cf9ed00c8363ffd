import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchiveTotalsEntity } from '../archive/archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';
import { column } from '../common/database/row-shape';

/** What a user's archive occupies, read from the counts that the storage quota is measured by. */
@Injectable()
export class StorageUsageRepository extends BaseRepository<ArchiveTotalsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchiveTotalsEntity);
  }

  /** EML bytes of all the user's accounts, disconnected ones included. */
  async usedBytes(userId: string): Promise<number> {
    const [row] = await this.rows(
      { bytes: column.text },
      `SELECT coalesce(sum(t.bytes), 0) AS bytes
         FROM mailbox_accounts a JOIN archive_totals t ON t.account_id = a.id WHERE a.user_id = $1`,
      [userId],
    );
    return Number(row?.bytes ?? 0);
  }
}
