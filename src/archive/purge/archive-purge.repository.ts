import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import type { Transaction } from '../../common/database/transactions';
import { ArchivedMailEntity } from '../archived-mail.entity';
import type { ArchiveOwner } from '../writing/mail-to-archive';

export interface PurgedMail {
  readonly storage: string;
  readonly storage_key: string;
  readonly size_bytes: number;
}

/** Rows of an account on their way out. */
@Injectable()
export class ArchivePurgeRepository extends BaseRepository<ArchivedMailEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivedMailEntity);
  }

  count(userId: string, accountId: string): Promise<number> {
    return this.table().countBy({ userId, accountId });
  }

  /** Deletes up to `limit` mails with what belongs to them, and says where their files are. */
  async deleteBatch(
    { userId, accountId }: ArchiveOwner,
    limit: number,
    transaction: Transaction,
  ): Promise<PurgedMail[]> {
    // Before any mail, as whoever writes into the archive does.
    await this.rows(
      'SELECT 1 FROM archive_totals WHERE account_id = $1 FOR UPDATE',
      [accountId],
      transaction,
    );
    const rows = await this.rows<{ storage: string; storage_key: string; size_bytes: string }>(
      `DELETE FROM archived_mails WHERE id IN (
         SELECT id FROM archived_mails WHERE account_id = $2 AND user_id = $1 ORDER BY date, id LIMIT $3
       ) RETURNING storage, storage_key, size_bytes`,
      [userId, accountId, limit],
      transaction,
    );
    return rows.map((row) => ({ ...row, size_bytes: Number(row.size_bytes) }));
  }
}
