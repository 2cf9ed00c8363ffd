import { Injectable } from '@nestjs/common';
import { ArchiveTotals } from '../../archive/mails/archive-totals';
import { BucketsService } from '../../archive/buckets/buckets.service';

/** The users whose archives are checked. */
@Injectable()
export class ArchiveUsers {
  constructor(
    private readonly totals: ArchiveTotals,
    private readonly buckets: BucketsService,
  ) {}

  /** Ids of users who have archived mail or a bucket, in order. */
  async list(): Promise<string[]> {
    const accounts = await this.totals.findAccountsWithMail(null);
    const userIds = [...accounts.map(({ userId }) => userId), ...(await this.buckets.listUsers())];
    return [...new Set(userIds)].toSorted();
  }
}
