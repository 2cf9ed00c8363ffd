import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../../common/database/base.repository';
import { ProviderUsageEntity } from '../provider-usage.entity';

export interface UsageCount {
  readonly accountId: string;
  readonly minute: Date;
  readonly endpoint: string;
  readonly units: number;
  readonly calls: number;
}

@Injectable()
export class ProviderUsageRepository extends BaseRepository<ProviderUsageEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ProviderUsageEntity);
  }

  /** Adds to what is recorded. Counts of accounts that no longer exist are dropped. */
  async add(counts: readonly UsageCount[]): Promise<void> {
    // Ordered, so that two processes lock the rows they share in the same order.
    await this.rows(
      `INSERT INTO provider_usage AS known (account_id, minute, endpoint, units, calls)
       SELECT added.account_id, added.minute, added.endpoint, added.units, added.calls
       FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::int[], $5::int[])
         AS added (account_id, minute, endpoint, units, calls)
       JOIN mailbox_accounts account ON account.id = added.account_id
       ORDER BY 1, 2, 3
       ON CONFLICT (account_id, minute, endpoint)
       DO UPDATE SET units = known.units + excluded.units, calls = known.calls + excluded.calls`,
      [
        counts.map((count) => count.accountId),
        counts.map((count) => count.minute),
        counts.map((count) => count.endpoint),
        counts.map((count) => Math.round(count.units)),
        counts.map((count) => count.calls),
      ],
    );
  }
}
