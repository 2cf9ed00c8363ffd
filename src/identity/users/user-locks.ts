import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import type { Transaction } from '../../platform/database/transactions';
import { UserEntity } from './user.entity';

/** The lock on a user's row, for features that keep rows of their own per user. It ends with the transaction. */
@Injectable()
export class UserLocks extends BaseRepository<UserEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, UserEntity);
  }

  /** Makes transactions that change something of the user's take turns, e.g. to count before they insert. */
  async lock(userId: string, transaction: Transaction): Promise<void> {
    await this.execute('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId], transaction);
  }
}
