import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../common/database/base.repository';
import { MailboxAccountEntity } from './mailbox-account.entity';

/** The provider-facing side of an account, reached by the gateway for accounts already checked to be the caller's. */
@Injectable()
export class AccountCredentialsRepository extends BaseRepository<MailboxAccountEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, MailboxAccountEntity);
  }

  findAccount(id: string): Promise<MailboxAccountEntity | null> {
    return this.table().findOneBy({ id });
  }

  /** Whether anything may be done for the account's user. */
  async isOwnerActive(id: string): Promise<boolean> {
    const found = await this.rows(
      `SELECT 1 FROM mailbox_accounts account JOIN users ON users.id = account.user_id
       WHERE account.id = $1 AND users.is_active`,
      [id],
    );
    return found.length > 0;
  }

  /** Without effect once anything but `replacing` is stored. @returns whether it was replaced */
  async saveCredentials(id: string, sealedCredentials: string, replacing: string): Promise<boolean> {
    const saved = await this.affected(
      `UPDATE mailbox_accounts SET sealed_credentials = $2, updated_at = now()
       WHERE id = $1 AND sealed_credentials = $3`,
      [id, sealedCredentials, replacing],
    );
    return saved > 0;
  }

  /** Without effect once anything but `refused` is stored. @returns whether the account was marked */
  async markReauthRequired(id: string, refused: string): Promise<boolean> {
    const marked = await this.affected(
      `UPDATE mailbox_accounts SET status = 'needs_reauth', updated_at = now()
       WHERE id = $1 AND status = 'connected' AND sealed_credentials = $2`,
      [id, refused],
    );
    return marked > 0;
  }

  /** Never shortens a pause: of several processes that tell of one, the last to come may know least. */
  async setPausedUntil(id: string, until: Date): Promise<void> {
    await this.affected(
      `UPDATE mailbox_accounts SET rate_limited_until = $2, updated_at = now()
       WHERE id = $1 AND (rate_limited_until IS NULL OR rate_limited_until < $2)`,
      [id, until],
    );
  }
}
