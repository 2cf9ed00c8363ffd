import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../platform/database/base.repository';
import { column, type RowShape } from '../../platform/database/row-shape';
import type { Transaction } from '../../platform/database/transactions';
import type { ArchiveOwner } from '../mails/writing/mail-to-archive';
import { JournalAddressEntity } from './journal-address.entity';
import { JOURNAL_FORMATS, type JournalFormat } from './journal-format';
import type { Refusal } from './refusal';

/** The account of an address, for the listener. */
export interface JournalAccount extends ArchiveOwner {
  /** Whether its user may use the service at present. */
  readonly isActive: boolean;
  readonly format: JournalFormat;
}

export interface ReceivedCounts {
  readonly received: number;
  readonly bytes: number;
  readonly duplicates: number;
}

const ACCOUNT_ROW: RowShape<JournalAccount> = {
  accountId: column.text,
  userId: column.text,
  isActive: column.boolean,
  format: column.oneOf(JOURNAL_FORMATS),
};
const ACCOUNT_BY_KEY = {
  name: 'journal-account-by-key',
  sql: `SELECT found.account_id AS "accountId", found.user_id AS "userId", users.is_active AS "isActive",
               found.format
          FROM (
            SELECT account_id, user_id, format FROM journal_addresses WHERE lookup_key = $1::bpchar
            UNION ALL
            SELECT account_id, user_id, format FROM journal_addresses
             WHERE previous_key = $1::bpchar AND previous_until > clock_timestamp()
          ) found
          JOIN users ON users.id = found.user_id
          JOIN mailbox_accounts account ON account.id = found.account_id AND account.status <> 'purging'
         LIMIT 1`,
};

/** Addresses for copied mail. */
@Injectable()
export class JournalAddressesRepository extends BaseRepository<JournalAddressEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, JournalAddressEntity);
  }

  findOwned(
    { userId, accountId }: ArchiveOwner,
    transaction?: Transaction,
  ): Promise<JournalAddressEntity | null> {
    return this.getTable(transaction).findOneBy({ userId, accountId });
  }

  /** Adds an address, unless the account has one. @returns whether it did */
  async add(
    { userId, accountId }: ArchiveOwner,
    secret: Pick<JournalAddressEntity, 'sealedSecret' | 'lookupKey'>,
    format: JournalFormat,
    transaction: Transaction,
  ): Promise<boolean> {
    const rows = await this.queryRows(
      { id: column.text },
      `INSERT INTO journal_addresses (account_id, user_id, sealed_secret, lookup_key, format) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id) DO NOTHING RETURNING account_id AS id`,
      [accountId, userId, secret.sealedSecret, secret.lookupKey, format],
      transaction,
    );
    return rows.length > 0;
  }

  /** Sets the format that the address expects. @returns whether it expected another */
  async setFormatOwned(
    { userId, accountId }: ArchiveOwner,
    format: JournalFormat,
    transaction: Transaction,
  ): Promise<boolean> {
    const changed = await this.executeAndCount(
      'UPDATE journal_addresses SET format = $3 WHERE user_id = $1 AND account_id = $2 AND format <> $3',
      [userId, accountId, format],
      transaction,
    );
    return changed > 0;
  }

  /** Gives the account another address. @param graceHours hours for which the old one is taken as well */
  async replaceOwned(
    { userId, accountId }: ArchiveOwner,
    secret: Pick<JournalAddressEntity, 'sealedSecret' | 'lookupKey'>,
    graceHours: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const replaced = await this.executeAndCount(
      `UPDATE journal_addresses
          SET sealed_secret = $3, lookup_key = $4, replaced_at = clock_timestamp(),
              previous_key = CASE WHEN $5::int > 0 THEN lookup_key END,
              previous_until = CASE WHEN $5::int > 0 THEN clock_timestamp() + make_interval(hours => $5::int) END
        WHERE user_id = $1 AND account_id = $2`,
      [userId, accountId, secret.sealedSecret, secret.lookupKey, graceHours],
      transaction,
    );
    return replaced > 0;
  }

  async deleteOwned({ userId, accountId }: ArchiveOwner, transaction: Transaction): Promise<boolean> {
    const deleted = await this.executeAndCount(
      'DELETE FROM journal_addresses WHERE user_id = $1 AND account_id = $2',
      [userId, accountId],
      transaction,
    );
    return deleted > 0;
  }

  /** Finds the account that an address belongs to. The same two look-ups in unique indexes, whether there is one or not. */
  async findByKey(lookupKey: string): Promise<JournalAccount | null> {
    const [row] = await this.readRows(ACCOUNT_ROW, ACCOUNT_BY_KEY, [lookupKey]);
    return row ?? null;
  }

  async recordReceived({ userId, accountId }: ArchiveOwner, counts: ReceivedCounts): Promise<void> {
    await this.execute(
      `UPDATE journal_addresses
          SET received = received + $3, received_bytes = received_bytes + $4, duplicates = duplicates + $5,
              last_received_at = clock_timestamp()
        WHERE user_id = $1 AND account_id = $2`,
      [userId, accountId, counts.received, counts.bytes, counts.duplicates],
    );
  }

  async recordRefusal({ userId, accountId }: ArchiveOwner, refusal: Refusal): Promise<void> {
    await this.execute(
      `UPDATE journal_addresses
          SET refused = refused + 1, last_refused_at = clock_timestamp(), last_refusal = $3
        WHERE user_id = $1 AND account_id = $2`,
      [userId, accountId, refusal],
    );
  }
}
