import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import type { Transaction } from '../../../platform/database/transactions';
import { ArchiveTotalsEntity } from '../archived-mail.entity';
import type { ArchiveOwner } from './mail-to-archive';

/** The lock on an account's archive, for transactions that write to it or to rows that must agree with it. */
@Injectable()
export class ArchiveLock extends BaseRepository<ArchiveTotalsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchiveTotalsEntity);
  }

  /**
   * Keeps the account from being deleted, and other writers of its archive out, until the transaction ends. Taken
   * before any other lock, in the order in which removing an account takes them. @returns false when it is gone
   */
  async acquire({ userId, accountId }: ArchiveOwner, transaction: Transaction): Promise<boolean> {
    const users = await this.queryRows(
      {},
      'SELECT 1 FROM users WHERE id = $1 FOR KEY SHARE',
      [userId],
      transaction,
    );
    const accounts = await this.queryRows(
      {},
      'SELECT 1 FROM mailbox_accounts WHERE id = $1 AND user_id = $2 FOR KEY SHARE',
      [accountId, userId],
      transaction,
    );
    if (users.length === 0 || accounts.length === 0) return false;
    if (await this.lockTotals(accountId, transaction)) return true;
    // Before its first mail an account has no totals, and nothing to lock.
    await this.execute(
      `INSERT INTO archive_totals (account_id, mails, bytes, with_attachments, encrypted, threads)
       VALUES ($1, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING`,
      [accountId],
      transaction,
    );
    return this.lockTotals(accountId, transaction);
  }

  private async lockTotals(accountId: string, transaction: Transaction): Promise<boolean> {
    const rows = await this.queryRows(
      {},
      'SELECT 1 FROM archive_totals WHERE account_id = $1 FOR UPDATE',
      [accountId],
      transaction,
    );
    return rows.length > 0;
  }
}
