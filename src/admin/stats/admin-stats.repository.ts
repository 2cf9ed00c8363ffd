import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { ENDED } from '../../mailbox/accounts/mailbox-accounts.repository';
import { UserEntity } from '../../users/user.entity';

export interface InstallationTotals {
  readonly users: number;
  readonly mailboxAccounts: number;
  readonly mails: number;
  readonly bytes: number;
}

/** What there is altogether; archives are summed over their accounts' kept totals. */
@Injectable()
export class AdminStatsRepository extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  async totals(): Promise<InstallationTotals> {
    const [row] = await this.rows<InstallationTotals>(
      `SELECT (SELECT count(*)::int FROM users) AS users,
              (SELECT count(*)::int FROM mailbox_accounts WHERE status NOT IN ${ENDED}) AS "mailboxAccounts",
              archives.mails, archives.bytes
       FROM (SELECT coalesce(sum(mails), 0)::float8 AS mails, coalesce(sum(bytes), 0)::float8 AS bytes
             FROM archive_totals) archives`,
    );
    return row!;
  }
}
