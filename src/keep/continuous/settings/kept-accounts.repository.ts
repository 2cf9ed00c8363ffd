import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BaseRepository } from '../../../platform/database/base.repository';
import { column, type RowShape } from '../../../platform/database/row-shape';
import type { Transaction } from '../../../platform/database/transactions';
import {
  ARCHIVING_MODES,
  type ArchivingMode,
  ArchivingSettingsEntity,
} from '../ledger/archiving-settings.entity';
import type { StoredAccountStatus } from '../../../mailbox/accounts/mailbox-account.entity';
import type { Trouble } from '../health/archiving-state';
import { DEFAULT_EXCLUSIONS } from './exclusion';
import { incompleteFolders } from '../ledger/incomplete-folders';

/** What the owner of an account has chosen. */
export interface ArchivingChoice {
  readonly mode: ArchivingMode;
  readonly paused: boolean;
  /** In the notation of `parseExclusion`, the first that matches first. */
  readonly exclusions: readonly string[];
  readonly verifyDays: number;
  readonly reconcileDays: number;
  /** null: never. */
  readonly notifyAfterHours: number | null;
  readonly followLabels: boolean;
}

/** A choice, and what has come of it so far. */
export interface ArchivingSettings extends ArchivingChoice {
  readonly exact: boolean;
  readonly epoch: number;
  readonly lookedAt: Date | null;
  readonly copiedAt: Date | null;
  readonly reconciledAt: Date | null;
  readonly filledAt: Date | null;
  readonly trouble: Trouble | null;
  readonly unhealthySince: Date | null;
  readonly notifiedAt: Date | null;
  /** The exclusions have changed: what they left out has yet to be judged anew. */
  readonly rejudgeSince: Date | null;
}

/** All that the state of an account follows from. */
export interface ArchivingOverview extends ArchivingSettings {
  readonly accountId: string;
  readonly userId: string;
  readonly isActive: boolean;
  readonly status: StoredAccountStatus;
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  /** Paths of folders that are not read, or of which the server counts more messages than it lists. */
  readonly incompleteFolders: readonly string[];
  /** The storage quota has refused mail, and has no more room since. */
  readonly isFull: boolean;
}

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
  trouble: column.nullable(column.oneOf(['provider', 'store'])),
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

const SETTINGS = `kept.mode, kept.paused, kept.exclusions, kept.verify_days AS "verifyDays",
  kept.reconcile_days AS "reconcileDays", kept.notify_after_hours AS "notifyAfterHours",
  kept.follow_labels AS "followLabels", kept.exact, kept.epoch, kept.looked_at AS "lookedAt",
  kept.copied_at AS "copiedAt", kept.reconciled_at AS "reconciledAt", kept.filled_at AS "filledAt", kept.trouble,
  kept.unhealthy_since AS "unhealthySince", kept.notified_at AS "notifiedAt",
  kept.rejudge_since AS "rejudgeSince"`;

/** A refusal is in force until there is more room than there was then, see `NotifiedLevel`. */
const OVERVIEW = `SELECT ${SETTINGS}, kept.account_id AS "accountId", account.user_id AS "userId",
    account.is_active AS "isActive", account.status, coalesce(waiting.messages, 0)::int AS pending,
    (SELECT due_at FROM ledger_messages
      WHERE account_id = kept.account_id AND class = 'pending' AND due_at IS NOT NULL ORDER BY due_at LIMIT 1)
      AS "oldestPendingAt",
    ${incompleteFolders('kept.account_id')} AS "incompleteFolders",
    coalesce(waiting.messages, 0) > 0 AND level.refused_room IS NOT NULL
      AND users.storage_quota_bytes - (
        SELECT coalesce(sum(total.bytes), 0) FROM mailbox_accounts own JOIN archive_totals total ON total.account_id = own.id
         WHERE own.user_id = users.id) <= level.refused_room AS "isFull"
  FROM archiving_settings kept
  JOIN mailbox_accounts account ON account.id = kept.account_id
  JOIN users ON users.id = account.user_id
  LEFT JOIN storage_quota_levels level ON level.user_id = users.id
  LEFT JOIN LATERAL (
    SELECT sum(messages) AS messages FROM ledger_totals WHERE account_id = kept.account_id AND class = 'pending'
  ) waiting ON true`;

/** How the mail of accounts is kept; always that of one account whose owner the caller has checked, but for `judged`. */
@Injectable()
export class KeptAccountsRepository extends BaseRepository<ArchivingSettingsEntity> {
  constructor(dataSource: DataSource) {
    super(dataSource, ArchivingSettingsEntity);
  }

  /** undefined: the account never had any. */
  async find(accountId: string): Promise<ArchivingSettings | undefined> {
    const [row] = await this.rows(
      SETTINGS_ROW,
      `SELECT ${SETTINGS} FROM archiving_settings kept WHERE kept.account_id = $1`,
      [accountId],
    );
    return row;
  }

  async overview(userId: string, accountId: string): Promise<ArchivingOverview | undefined> {
    const [row] = await this.rows(
      OVERVIEW_ROW,
      `${OVERVIEW} WHERE kept.account_id = $1 AND account.user_id = $2`,
      [accountId, userId],
    );
    return row;
  }

  /**
   * Accounts of active users that are on, or have been in a bad way, by id.
   * @param after the last id of the page before
   */
  judged(after: string | null, limit: number): Promise<ArchivingOverview[]> {
    return this.rows(
      OVERVIEW_ROW,
      `${OVERVIEW}
        WHERE users.is_active AND (kept.mode <> 'off' OR kept.unhealthy_since IS NOT NULL)
          AND ($1::uuid IS NULL OR kept.account_id > $1)
        ORDER BY kept.account_id LIMIT $2`,
      [after, limit],
    );
  }

  /** Locks the settings until the transaction ends. */
  async lock(accountId: string, transaction: Transaction): Promise<ArchivingSettings | undefined> {
    const [row] = await this.rows(
      SETTINGS_ROW,
      `SELECT ${SETTINGS} FROM archiving_settings kept WHERE kept.account_id = $1 FOR NO KEY UPDATE`,
      [accountId],
      transaction,
    );
    return row;
  }

  /** As `lock`; an account without settings gets those of somebody who has not chosen. */
  async lockOrBegin(accountId: string, transaction: Transaction): Promise<ArchivingSettings> {
    await this.execute(
      `INSERT INTO archiving_settings (account_id, exclusions) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [accountId, JSON.stringify(DEFAULT_EXCLUSIONS)],
      transaction,
    );
    const settings = await this.lock(accountId, transaction);
    if (!settings) throw new Error('The settings were inserted, and are not there');
    return settings;
  }

  async choose(accountId: string, choice: ArchivingChoice, transaction: Transaction): Promise<void> {
    await this.affected(
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

  async rejudge(accountId: string, transaction: Transaction): Promise<void> {
    await this.affected(
      `UPDATE archiving_settings SET rejudge_since = date_trunc('milliseconds', clock_timestamp()) WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /** What was left out is judged anew, unless the exclusions have changed again. */
  async rejudged(accountId: string, since: Date): Promise<void> {
    await this.affected(
      'UPDATE archiving_settings SET rejudge_since = NULL WHERE account_id = $1 AND rejudge_since = $2',
      [accountId, since],
    );
  }

  /** The ledger begins anew: nothing is known of the mailbox. */
  async forget(accountId: string, transaction: Transaction): Promise<void> {
    await this.affected(
      `UPDATE archiving_settings
          SET exact = false, epoch = epoch + 1, looked_at = NULL, filled_at = NULL, trouble = NULL, provider_offset = NULL
        WHERE account_id = $1`,
      [accountId],
      transaction,
    );
  }

  /** A pass has asked the mailbox for changes. */
  async looked(accountId: string): Promise<void> {
    await this.affected('UPDATE archiving_settings SET looked_at = clock_timestamp() WHERE account_id = $1', [
      accountId,
    ]);
  }

  async copied(accountId: string): Promise<void> {
    await this.affected('UPDATE archiving_settings SET copied_at = clock_timestamp() WHERE account_id = $1', [
      accountId,
    ]);
  }

  /** What kept the last pass from copying; null: nothing. */
  async setTrouble(accountId: string, trouble: Trouble | null): Promise<void> {
    await this.affected(
      'UPDATE archiving_settings SET trouble = $2 WHERE account_id = $1 AND trouble IS DISTINCT FROM $2',
      [accountId, trouble],
    );
  }

  /** The first copy is finished once the ledger is exact and nothing waits. */
  async fill(accountId: string): Promise<void> {
    await this.affected(
      `UPDATE archiving_settings SET filled_at = clock_timestamp()
        WHERE account_id = $1 AND exact AND filled_at IS NULL
          AND NOT EXISTS (SELECT FROM ledger_totals WHERE account_id = $1 AND class = 'pending')`,
      [accountId],
    );
  }

  /** The provider's count less the rows of the ledger, when they were last known to agree; null: not known. */
  async providerOffset(accountId: string): Promise<number | null> {
    const [row] = await this.rows(
      { offset: column.nullable(column.number) },
      'SELECT provider_offset AS "offset" FROM archiving_settings WHERE account_id = $1',
      [accountId],
    );
    return row?.offset ?? null;
  }

  async setProviderOffset(accountId: string, offset: number): Promise<void> {
    await this.affected(
      'UPDATE archiving_settings SET provider_offset = $2 WHERE account_id = $1 AND provider_offset IS NULL',
      [accountId, offset],
    );
  }

  /** Rows of the ledger; null: it is another cursor's by now. */
  async rowsAt(accountId: string, cursor: string): Promise<number | null> {
    const [row] = await this.rows(
      { messages: column.number },
      `SELECT coalesce(sum(messages) FILTER (WHERE class <> 'gone'), 0)::int AS messages
         FROM mailbox_index_states state LEFT JOIN ledger_totals total ON total.account_id = state.account_id
        WHERE state.account_id = $1 AND state.cursor = $2 GROUP BY state.account_id`,
      [accountId, cursor],
    );
    return row?.messages ?? null;
  }

  /** @returns false when another process has judged it first */
  async setEpisode(
    accountId: string,
    before: Pick<ArchivingSettings, 'unhealthySince' | 'notifiedAt'>,
    after: Pick<ArchivingSettings, 'unhealthySince' | 'notifiedAt'>,
    transaction: Transaction,
  ): Promise<boolean> {
    const changed = await this.affected(
      `UPDATE archiving_settings SET unhealthy_since = $4, notified_at = $5
        WHERE account_id = $1 AND unhealthy_since IS NOT DISTINCT FROM $2 AND notified_at IS NOT DISTINCT FROM $3`,
      [accountId, before.unhealthySince, before.notifiedAt, after.unhealthySince, after.notifiedAt],
      transaction,
    );
    return changed > 0;
  }
}
