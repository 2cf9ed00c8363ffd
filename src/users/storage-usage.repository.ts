import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchivedMailEntity } from '../archive/archived-mail.entity';
import { BaseRepository } from '../common/database/base.repository';

/** What a user's archive occupies, read from the archive's own rows. */
@Injectable()
export class StorageUsageRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  /** Sum of the EML sizes in bytes; answered from an index that holds the sizes. */
  async usedBytes(userId: string): Promise<number> {
    const [row] = await this.rows<{ bytes: string }>(
      'SELECT coalesce(sum(size_bytes), 0) AS bytes FROM archived_mails WHERE user_id = $1',
      [userId],
    );
    return Number(row?.bytes ?? 0);
  }
}
