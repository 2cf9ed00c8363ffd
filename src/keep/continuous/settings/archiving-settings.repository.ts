import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import {
  ARCHIVING_MODES,
  ARCHIVING_TROUBLES,
  type ArchivingMode,
  ArchivingSettingsEntity,
  type ArchivingTrouble,
} from './archiving-settings.entity';
import type { StoredAccountStatus } from '../../../mailbox/accounts/mailbox-account.entity';
import { DEFAULT_EXCLUSIONS } from './exclusion';
import { incompleteFolders } from './incomplete-folders';

/** The part of the settings that writers of the ledger need. */
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

/** The result of a reconcile. */
export interface Reconciled {
  /** The epoch of `LedgerState` when the reconcile began. */
  readonly epoch: number;
  /** The provider's count of messages less the rows of the ledger; null: the mailbox changed meanwhile. */
  readonly providerOffset: number | null;
}

/** The choices of an account's owner. */
export interface ArchivingChoice {
  readonly mode: ArchivingMode;
  readonly paused: boolean;
  /** In the notation of `parseExclusion`, the first that matches first. */
  readonly exclusions: readonly string[];
  readonly verifyDays: number;
  readonly reconcileDays: number;
  /** Hours until the owner is notified of a mailbox that is not archived; null: never. */
  readonly notifyAfterHours: number | null;
  readonly followLabels: boolean;
}

/** The choices of an account's owner, and the progress since. */
export interface ArchivingSettings extends ArchivingChoice {
  readonly exact: boolean;
  readonly epoch: number;
  readonly lookedAt: Date | null;
  readonly copiedAt: Date | null;
  readonly reconciledAt: Date | null;
  readonly filledAt: Date | null;
  readonly trouble: ArchivingTrouble | null;
  readonly unhealthySince: Date | null;
  readonly notifiedAt: Date | null;
  /** When the exclusions changed; null once the messages that they left out have been judged anew. */
  readonly rejudgeSince: Date | null;
}

/** Everything that the state of an account is derived from. */
export interface ArchivingOverview extends ArchivingSettings {
  readonly accountId: string;
  readonly userId: string;
  readonly isActive: boolean;
  readonly status: StoredAccountStatus;
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  /** Paths of folders that cannot be read, or of which the server counts more messages than it lists. */
  readonly incompleteFolders: readonly string[];
  /** Whether the storage quota has refused mail and has had no more room since. */
  readonly isFull: boolean;
}

/** Whether messages of the account are copied into the archive. */
export const isCopying = ({ mode, paused }: ArchivingSettings): boolean => mode === 'keep' && !paused;

const SETTINGS_ROW: RowShape<ArchivingSettings> = {
  mode: column.oneOf(ARCHIVING_MODES),
  paused: column.boolean,
  exclusions: column.array(column.text),
  verifyDays: column.number,
  reconcileDays: column.number,
  notifyAfterHours: column.nullable(column.number),
  followLabels: column.boolean,
  exact: column.boolean,
  epoch: column.number,
  lookedAt: column.nullable(column.date),
  copiedAt: column.nullable(column.date),
  reconciledAt: column.nullable(column.date),
  filledAt: column.nullable(column.date),
  trouble: column.nullable(column.oneOf(ARCHIVING_TROUBLES)),
  unhealthySince: column.nullable(column.date),
  notifiedAt: column.nullable(column.date),
  rejudgeSince: column.nullable(column.date),
};

const OVERVIEW_ROW: RowShape<ArchivingOverview> = {
  ...SETTINGS_ROW,
  accountId: column.text,
  userId: column.text,
  isActive: column.boolean,
  status: column.oneOf(['connected', 'needs_reauth', 'disconnected', 'purging']),
  pending: column.number,
  oldestPendingAt: column.nullable(column.date),
  incompleteFolders: column.array(column.text),
  isFull: column.boolean,
};

const SETTINGS = `settings.mode, settings.paused, settings.exclusions, settings.verify_days AS "verifyDays",
  settings.reconcile_days AS "reconcileDays", settings.notify_after_hours AS "notifyAfterHours",
  settings.follow_labels AS "followLabels", settings.exact, settings.epoch, settings.looked_at AS "lookedAt",
  settings.copied_at AS "copiedAt", settings.reconciled_at AS "reconciledAt", settings.filled_at AS "filledAt", settings.trouble,
  settings.unhealthy_since AS "unhealthySince", settings.notified_at AS "notifiedAt",
  settings.rejudge_since AS "rejudgeSince"`;

/** A refusal is in force until there is more room than there was then, see `NotifiedLevel`. */
const OVERVIEW = `SELECT ${SETTINGS}, settings.account_id AS "accountId", account.user_id AS "userId",
    account.is_active AS "isActive", account.status, coalesce(waiting.messages, 0)::int AS pending,
    (SELECT due_at FROM ledger_messages
      WHERE account_id = settings.account_id AND class = 'pending' AND due_at IS NOT NULL ORDER BY due_at LIMIT 1)
      AS "oldestPendingAt",
    ${incompleteFolders('settings.account_id')} AS "incompleteFolders",
    coalesce(waiting.messages, 0) > 0 AND level.refused_room IS NOT NULL
      AND users.storage_quota_bytes - (
        SELECT coalesce(sum(total.bytes), 0) FROM mailbox_accounts own JOIN archive_totals total ON total.account_id = own.id
         WHERE own.user_id = users.id) <= level.refused_room AS "isFull"
  FROM archiving_settings settings
  JOIN mailbox_accounts account ON account.id = settings.account_id
  JOIN users ON users.id = account.user_id
  LEFT JOIN storage_quota_levels level ON level.user_id = users.id
  LEFT JOIN LATERAL (
    SELECT sum(messages) AS messages FROM ledger_totals WHERE account_id = settings.account_id AND class = 'pending'
  ) waiting ON true`;

/**
 * The settings and the progress of continuous archiving. An account without a row is off. Except for `listMonitored`, callers have
 * checked who owns the account.
 */
@Injectable()
export class ArchivingSettingsRepository extends BaseRepository<ArchivingSettingsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivingSettingsEntity);
  }

  /** Finds the settings of an account; undefined: it never had any. */
  async find(accountId: string): Promise<ArchivingSettings | undefined> {
    const [row] = await this.queryRows(
      SETTINGS_ROW,
      `SELECT ${SETTINGS} FROM archiving_settings settings WHERE settings.account_id = $1`,
      [accountId],
    );
    return row;
  }

  /** Finds the settings of a user's account with everything its state is derived from. */
  async findOverview(userId: string, accountId: string): Promise<ArchivingOverview | undefined> {
    const [row] = await this.queryRows(
      OVERVIEW_ROW,
      `${OVERVIEW} WHERE settings.account_id = $1 AND account.user_id = $2`,
      [accountId, userId],
    );
    return row;
  }

  /**
   * Lists accounts of active users that are archived, or are still recorded as unhealthy, by id.
   * @param after the last id of the page before
   */
  listMonitored(after: string | null, limit: number): Promise<ArchivingOverview[]> {
    return this.queryRows(
      OVERVIEW_ROW,
      `${OVERVIEW}
        WHERE users.is_active AND (settings.mode <> 'off' OR settings.unhealthy_since IS NOT NULL)
          AND ($1::uuid IS NULL OR settings.account_id > $1)
        ORDER BY settings.account_id LIMIT $2`,
      [after, limit],
    );
  }

  /** Locks the settings until the transaction ends. */
  async lock(accountId: string, transaction: Transaction): Promise<ArchivingSettings | undefined> {
    const [row] = await this.queryRows(
      SETTINGS_ROW,
      `SELECT ${SETTINGS} FROM archiving_settings settings WHERE settings.account_id = $1 FOR NO KEY UPDATE`,
      [accountId],
      transaction,
    );
    return row;
  }

  /** Locks the settings until the transaction ends; an account without any gets the defaults. */
  async lockOrCreate(accountId: string, transaction: Transaction): Promise<ArchivingSettings> {
    await this.execute(
      `INSERT INTO archiving_settings (account_id, exclusions) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [accountId, JSON.stringify(DEFAULT_EXCLUSIONS)],
      transaction,
    );
    const settings = await this.lock(accountId, transaction);
    if (!settings) throw new Error('The settings were inserted, and are not there');
    return settings;
  }

  async saveChoice(accountId: string, choice: ArchivingChoice, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archiving_settings
          SET mode = $2, paused = $3, exclusions = $4, verify_days = $5, reconcile_days = $6, notify_after_hours = $7,
              follow_labels = $8
        WHERE account_id = $1`,
      [
        accountId,
        choice.mode,
        choice.paused,
        JSON.stringify(choice.exclusions),
        choice.verifyDays,
        choice.reconcileDays,
        choice.notifyAfterHours,
        choice.followLabels,
      ],
      transaction,
    );
  }

  /** Asks for the messages that the exclusions left out to be judged anew. */
  async requestRejudging(accountId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archiving_settings SET rejudge_since = date_trunc('milliseconds', clock_timestamp()) WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /** Records that the left out messages were judged anew, unless the exclusions have changed again. */
  async recordRejudged(accountId: string, since: Date): Promise<void> {
    await this.executeAndCount(
      'UPDATE archiving_settings SET rejudge_since = NULL WHERE account_id = $1 AND rejudge_since = $2',
      [accountId, since],
    );
  }

  /** Clears the progress: the ledger begins anew. */
  async resetProgress(accountId: string, transaction: Transaction): Promise<void> {
    await this.executeAndCount(
      `UPDATE archiving_settings
          SET exact = false, epoch = epoch + 1, looked_at = NULL, filled_at = NULL, trouble = NULL, provider_offset = NULL
        WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /** Records that the mailbox was asked for changes. */
  async recordSync(accountId: string): Promise<void> {
    await this.executeAndCount(
      'UPDATE archiving_settings SET looked_at = clock_timestamp() WHERE account_id = $1',
      [accountId],
    );
  }

  /** Records that mail was copied. */
  async recordCopied(accountId: string): Promise<void> {
    await this.executeAndCount(
      'UPDATE archiving_settings SET copied_at = clock_timestamp() WHERE account_id = $1',
      [accountId],
    );
  }

  /** Sets what kept the last pass from copying; null: nothing. */
  async setTrouble(accountId: string, trouble: ArchivingTrouble | null): Promise<void> {
    await this.executeAndCount(
      'UPDATE archiving_settings SET trouble = $2 WHERE account_id = $1 AND trouble IS DISTINCT FROM $2',
      [accountId, trouble],
    );
  }

  /** Records that everything was copied for the first time, once the ledger is exact and nothing waits. */
  async recordFirstFill(accountId: string): Promise<void> {
    await this.executeAndCount(
      `UPDATE archiving_settings SET filled_at = clock_timestamp()
        WHERE account_id = $1 AND exact AND filled_at IS NULL
          AND NOT EXISTS (SELECT FROM ledger_totals WHERE account_id = $1 AND class = 'pending')`,
      [accountId],
    );
  }

  /** Finds the provider's count less the rows of the ledger, when they were last known to agree; null: not known. */
  async findProviderOffset(accountId: string): Promise<number | null> {
    const [row] = await this.queryRows(
      { offset: column.nullable(column.number) },
      'SELECT provider_offset AS "offset" FROM archiving_settings WHERE account_id = $1',
      [accountId],
    );
    return row?.offset ?? null;
  }

  async setProviderOffset(accountId: string, offset: number): Promise<void> {
    await this.executeAndCount(
      'UPDATE archiving_settings SET provider_offset = $2 WHERE account_id = $1 AND provider_offset IS NULL',
      [accountId, offset],
    );
  }

  /** Counts the rows of the ledger at a cursor; null: the ledger has another cursor by now. */
  async countRowsAt(accountId: string, cursor: string): Promise<number | null> {
    const [row] = await this.queryRows(
      { messages: column.number },
      `SELECT coalesce(sum(messages) FILTER (WHERE class <> 'gone'), 0)::int AS messages
         FROM mailbox_index_states state LEFT JOIN ledger_totals total ON total.account_id = state.account_id
        WHERE state.account_id = $1 AND state.cursor = $2 GROUP BY state.account_id`,
      [accountId, cursor],
    );
    return row?.messages ?? null;
  }

  /** Saves how long an account has been unhealthy. @returns false when another process was first */
  async saveEpisode(
    accountId: string,
    before: Pick<ArchivingSettings, 'unhealthySince' | 'notifiedAt'>,
    after: Pick<ArchivingSettings, 'unhealthySince' | 'notifiedAt'>,
    transaction: Transaction,
  ): Promise<boolean> {
    const changed = await this.executeAndCount(
      `UPDATE archiving_settings SET unhealthy_since = $4, notified_at = $5
        WHERE account_id = $1 AND unhealthy_since IS NOT DISTINCT FROM $2 AND notified_at IS NOT DISTINCT FROM $3`,
      [accountId, before.unhealthySince, before.notifiedAt, after.unhealthySince, after.notifiedAt],
      transaction,
    );
    return changed > 0;
  }

  /** Finds the ledger's part of the settings; null: no row, which is off. */
  async findLedgerState(accountId: string, transaction?: Transaction): Promise<LedgerState | null> {
    const [state] = await this.queryRows(LEDGER_STATE, STATE, [accountId], transaction);
    return state ?? null;
  }

  /**
   * Locks the ledger's part of the settings until the transaction ends: no other transaction writes the account's ledger until then. Taken after the locks
   * of `mailbox_index_states` and `archive_totals`.
   */
  async lockLedgerState(accountId: string, transaction: Transaction): Promise<LedgerState | null> {
    const [state] = await this.queryRows(
      LEDGER_STATE,
      `${STATE} FOR NO KEY UPDATE`,
      [accountId],
      transaction,
    );
    return state ?? null;
  }

  /** Marks the ledger as not exact until a reconcile that begins later has ended. */
  markInexact(accountId: string, transaction?: Transaction): Promise<void> {
    return this.execute(
      'UPDATE archiving_settings SET exact = false, epoch = epoch + 1 WHERE account_id = $1',
      [accountId],
      transaction,
    );
  }

  /**
   * Records a reconcile that has ended, unless the ledger was marked as not exact since it began.
   * @param transaction in which its last rows are written. @returns whether the ledger is exact now
   */
  async recordReconciled(
    accountId: string,
    { epoch, providerOffset }: Reconciled,
    transaction: Transaction,
  ): Promise<boolean> {
    const updated = await this.executeAndCount(
      `UPDATE archiving_settings SET exact = true, reconciled_at = clock_timestamp(), provider_offset = $3,
              provider_agreed = CASE WHEN $3::int IS NOT NULL THEN true END, provider_checked_at = clock_timestamp()
        WHERE account_id = $1 AND epoch = $2 AND mode <> 'off'`,
      [accountId, epoch, providerOffset],
      transaction,
    );
    return updated > 0;
  }

  /** Records the provider's count as it was compared with the ledger's at the same cursor. */
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
