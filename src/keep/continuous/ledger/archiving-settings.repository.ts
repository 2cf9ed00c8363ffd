import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import { ARCHIVING_MODES, type ArchivingMode, ArchivingSettingsEntity } from './archiving-settings.entity';

/** What a writer of the ledger has to know of an account. */
export interface LedgerState {
  readonly mode: ArchivingMode;
  readonly exact: boolean;
  readonly epoch: number;
  readonly verifyDays: number;
  readonly followLabels: boolean;
}

const LEDGER_STATE: RowShape<LedgerState> = {
  mode: column.oneOf(ARCHIVING_MODES),
  exact: column.boolean,
  epoch: column.number,
  verifyDays: column.number,
  followLabels: column.boolean,
};

const STATE = `SELECT mode, exact, epoch, verify_days AS "verifyDays", follow_labels AS "followLabels"
  FROM archiving_settings WHERE account_id = $1`;

/** What a reconcile has found. */
export interface Reconciled {
  /** Of `LedgerState`, as the reconcile found it at its start. */
  readonly epoch: number;
  /** The provider's count of messages less the rows of the ledger; null: the mailbox did not stand still. */
  readonly providerOffset: number | null;
}

/** How the mail of mailboxes is kept. An account without a row is off. */
@Injectable()
export class ArchivingSettingsRepository extends BaseRepository<ArchivingSettingsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivingSettingsEntity);
  }

  /** null: no row, which is off. */
  async state(accountId: string, transaction?: Transaction): Promise<LedgerState | null> {
    const [state] = await this.rows(LEDGER_STATE, STATE, [accountId], transaction);
    return state ?? null;
  }

  /**
   * As `state`, locked until the transaction ends: no one else writes the account's ledger until then. Taken after the locks
   * of `mailbox_index_states` and `archive_totals`.
   */
  async lock(accountId: string, transaction: Transaction): Promise<LedgerState | null> {
    const [state] = await this.rows(LEDGER_STATE, `${STATE} FOR NO KEY UPDATE`, [accountId], transaction);
    return state ?? null;
  }

  /** The ledger has lost track: it is not exact until a reconcile that begins later has ended. */
  loseTrack(accountId: string, transaction?: Transaction): Promise<void> {
    return this.execute(
      'UPDATE archiving_settings SET exact = false, epoch = epoch + 1 WHERE account_id = $1',
      [accountId],
      transaction,
    );
  }

  /**
   * A reconcile has ended, unless track was lost since it began.
   * @param transaction in which its last rows are written. @returns whether the ledger is exact now
   */
  async recordReconciled(
    accountId: string,
    { epoch, providerOffset }: Reconciled,
    transaction: Transaction,
  ): Promise<boolean> {
    const updated = await this.affected(
      `UPDATE archiving_settings SET exact = true, reconciled_at = clock_timestamp(), provider_offset = $3,
              provider_agreed = CASE WHEN $3::int IS NOT NULL THEN true END, provider_checked_at = clock_timestamp()
        WHERE account_id = $1 AND epoch = $2 AND mode <> 'off'`,
      [accountId, epoch, providerOffset],
      transaction,
    );
    return updated > 0;
  }

  /** What the provider's count said when it was compared with the ledger's at the same cursor. */
  recordProviderCount(
    accountId: string,
    { total, agreed }: { total: number; agreed: boolean },
    transaction?: Transaction,
  ): Promise<void> {
    return this.execute(
      `UPDATE archiving_settings SET provider_total = $2, provider_agreed = $3, provider_checked_at = clock_timestamp()
        WHERE account_id = $1`,
      [accountId, total, agreed],
      transaction,
    );
  }
}
