import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ArchiveTotalsEntity } from '../../archive/archive-totals.entity';
import { BaseRepository } from '../../common/database/base.repository';

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
