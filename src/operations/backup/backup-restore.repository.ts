import type { Type } from '@nestjs/common';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DataSource, type MigrationInterface } from 'typeorm';
import { AdvisoryLock } from '../../platform/database/advisory-locks';
import { dataSourceOptions } from '../../platform/database/data-source-options';
import { newId } from '../../platform/crypto/ids';
import { backupRestoredText } from '../../notify/notifications/notification-texts';
import { BackupDamaged, BackupError } from './backup.errors';
import { quoteName } from './dumped-tables';
import { readGzip } from './files';
import type { DumpedSequence, DumpedTable } from './manifest';
import { loadOrder, Reference } from './load-order';
import { typedRows, column, RowShape } from '../../platform/database/row-shape';

const REFERENCE_ROW: RowShape<Reference> = { table: column.text, target: column.text };

/**
 * Exists from the commit of the rows until the files of object stores are restored, so that a restore interrupted in
 * between can continue.
 */
const MARKER = 'restore_in_progress';
const INTERRUPTED = {
  code: 'interrupted-by-restore',
  detail: 'The job was under way when the backup was taken from which Mailroom was restored: start it again.',
};

/** Numbers of secrets that were sealed with a lost key, and have to be entered again. */
export interface LostSecrets {
  /** Mailboxes whose grant is gone. */
  readonly mailboxes: number;
  /** Users' object stores. */
  readonly stores: number;
  /** Webhooks, whose addresses and secrets are sealed. */
  readonly webhooks: number;
}

const DOUBTS_OF_USER: RowShape<{
  id: string;
  isAdmin: boolean;
  mails: number;
  allMails: number | null;
}> = {
  id: column.text,
  isAdmin: column.boolean,
  mails: column.number,
  allMails: column.nullable(column.number),
};

const COUNT_ROW = { count: column.number };

export interface TargetState {
  /** Id of the backup whose rows are restored while its files are not; null: none. */
  readonly unfinished: string | null;
  readonly hasUsers: boolean;
}

/**
 * The database of a restore, on a connection without time limits. It holds the lock under which the service migrates its
 * schema, so that a service started meanwhile waits.
 */
export class BackupRestoreRepository {
  private constructor(
    private readonly url: string,
    private readonly client: Client,
    private readonly migrations: readonly Type<MigrationInterface>[],
  ) {}

  /** @throws BackupError when the service, or another restore, is running on this database */
  static async open(
    url: string,
    migrations: readonly Type<MigrationInterface>[],
  ): Promise<BackupRestoreRepository> {
    const client = new Client({
      connectionString: url,
      application_name: 'mailroom-restore',
      keepAlive: true,
    });
    // Pending queries fail with the same error; without a listener the process would end.
    client.on('error', () => undefined);
    await client.connect();
    const repository = new BackupRestoreRepository(url, client, migrations);
    try {
      await client.query('SET statement_timeout = 0');
      await repository.refuseOtherConnections();
    } catch (error) {
      await client.end();
      throw error;
    }
    return repository;
  }

  /** Ends the connection, and the lock with it. */
  async close(): Promise<void> {
    await this.client.end();
  }

  async readState(): Promise<TargetState> {
    const unfinished = (await this.hasTable(MARKER))
      ? typedRows(
          { backup_id: column.text },
          (await this.client.query(`SELECT backup_id FROM ${MARKER}`)).rows,
        )
      : [];
    const users = (await this.hasTable('users'))
      ? await this.client.query('SELECT FROM users LIMIT 1')
      : { rowCount: 0 };
    return { unfinished: unfinished[0]?.backup_id ?? null, hasUsers: (users.rowCount ?? 0) > 0 };
  }

  /** Migrates a database without users to the version with these migrations, oldest first. */
  async migrateTo(names: readonly string[]): Promise<void> {
    await this.withMigrations(this.migrations, async (dataSource) => {
      for (;;) {
        const applied = await this.listApplied();
        if (applied.length <= names.length) return;
        await dataSource.undoLastMigration();
      }
    });
    const wanted = this.migrations.filter(({ name }) => names.includes(name));
    await this.withMigrations(wanted, (dataSource) => dataSource.runMigrations());
  }

  /** Migrates the schema to the version of this service. */
  async migrate(): Promise<void> {
    await this.withMigrations(this.migrations, (dataSource) => dataSource.runMigrations());
  }

  /**
   * Loads all tables in one transaction. Jobs that were running end, because the state of their work is unknown.
   * @param fileOf the file with a table's rows
   * @param loaded called for each table
   * @returns null when the secrets were kept
   * @throws BackupDamaged when a table does not have the number of rows in its manifest
   */
  async load(
    backup: {
      id: string;
      tables: readonly DumpedTable[];
      sequences: readonly DumpedSequence[];
      withoutSecrets: boolean;
    },
    fileOf: (table: DumpedTable) => string,
    loaded: (table: DumpedTable) => void,
  ): Promise<LostSecrets | null> {
    const { client } = this;
    await client.query('BEGIN');
    try {
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await client.query(`CREATE TABLE ${MARKER} (backup_id uuid PRIMARY KEY)`);
      await client.query(`INSERT INTO ${MARKER} VALUES ($1)`, [backup.id]);
      // Pending deletions of the installation before may have the names of restored files. `archive_removals` is the name of
      // the table before 1763700000012: rows are loaded into the schema they come from.
      for (const table of ['file_deletions', 'archive_removals'])
        if (await this.hasTable(table)) await client.query(`DELETE FROM ${table}`);
      const tables = new Map(backup.tables.map((table) => [table.table, table]));
      await this.refuseForeignTables([...tables.keys()]);
      for (const name of loadOrder([...tables.keys()], await this.listReferences())) {
        const table = tables.get(name) as DumpedTable;
        await this.loadTable(table, fileOf(table));
        loaded(table);
      }
      await this.refuseForeignSequences(backup.sequences.map(({ sequence }) => sequence));
      for (const { sequence, value, isCalled } of backup.sequences) {
        await client.query('SELECT setval($1::regclass, $2::bigint, $3)', [
          quoteName(sequence),
          value,
          isCalled,
        ]);
      }
      await this.endJobs();
      await this.deletePasswordLinks();
      const lost = backup.withoutSecrets ? await this.dropSecrets() : null;
      await client.query('COMMIT');
      return lost;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }

  /** Makes mails name the local disk as their store. */
  async moveToLocal(mailIds: readonly string[], local: string): Promise<void> {
    await this.client.query('UPDATE archived_mails SET storage = $2 WHERE id = ANY ($1) AND storage <> $2', [
      mailIds,
      local,
    ]);
  }

  /**
   * Marks mails whose messages may have been offloaded since the backup: retention keeps the copies until the mailbox has been
   * read. Stores the id of the backup, so that files it does not name are kept longer. Can be repeated.
   * @returns the number of mails of which it is not known whether they are the only copies
   */
  async markDoubtful(backupId: string): Promise<number> {
    const doubted = await this.client.query(
      `UPDATE archived_mails
          SET may_be_offloaded = true, presence = CASE WHEN presence = 'mailbox' THEN NULL ELSE presence END
        WHERE presence IS DISTINCT FROM 'gone' AND mailbox_message_id !~ '^(<|message-id:|sha256:)'`,
    );
    await this.client.query('INSERT INTO restored_backups (backup_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      backupId,
    ]);
    return doubted.rowCount ?? 0;
  }

  /**
   * Notifies the owners of copies in doubt, and the administrators, that the archive was restored and what retention keeps.
   * Repeating it adds no second notification.
   */
  async notify(backup: { readonly id: string; readonly createdAt: string }): Promise<void> {
    // The sum counts users who want no notification as well.
    const { rows } = await this.client.query(
      `WITH kept AS (
         SELECT user_id, count(*)::int AS mails FROM archived_mails WHERE may_be_offloaded GROUP BY user_id
       )
       SELECT users.id, users.role = 'admin' AS "isAdmin", coalesce(own.mails, 0) AS mails,
              (SELECT sum(kept.mails)::int FROM kept) AS "allMails"
         FROM users
         LEFT JOIN kept own ON own.user_id = users.id
         LEFT JOIN notification_preferences preferences ON preferences.user_id = users.id
        WHERE coalesce(preferences.integrity_alert, true)`,
    );
    for (const { id, isAdmin, mails, allMails } of typedRows(DOUBTS_OF_USER, rows)) {
      if (mails === 0 && !(isAdmin && allMails)) continue;
      const data = { backupAt: backup.createdAt, keptMails: mails, ...(isAdmin && { keptOfAll: allMails }) };
      const { title, body } = backupRestoredText(data);
      await this.client.query(
        `INSERT INTO notifications (id, user_id, type, title, body, data, event_key)
         VALUES ($1, $2, 'integrity_alert', $3, $4, $5, $6) ON CONFLICT (user_id, event_key) DO NOTHING`,
        [newId(), id, title, body, JSON.stringify(data), `backup.restored/${backup.id}`],
      );
    }
  }

  /** The last step: updates the planner's statistics and deletes the record of the restore. */
  async finish(tables: readonly string[]): Promise<void> {
    for (const table of tables) await this.client.query(`VACUUM (ANALYZE) ${quoteName(table)}`);
    await this.client.query(`DROP TABLE IF EXISTS ${MARKER}`);
  }

  /** Numbers of rules and policies that run by themselves once the service starts. */
  async countSchedules(): Promise<{ scheduledRules: number; retentionPolicies: number }> {
    const rows = typedRows(
      { rules: column.number, policies: column.number },
      (
        await this.client.query(
          `SELECT (SELECT count(*)::int FROM rules WHERE is_active AND schedule IS NOT NULL) AS rules,
              (SELECT count(*)::int FROM retention_policies WHERE is_active) AS policies`,
        )
      ).rows,
    );
    const { rules: scheduledRules, policies: retentionPolicies } = rows[0]!;
    return { scheduledRules, retentionPolicies };
  }

  private async refuseOtherConnections(): Promise<void> {
    const rows = typedRows(
      { locked: column.boolean, others: column.boolean },
      (
        await this.client.query(
          `SELECT pg_try_advisory_lock($1) AS locked,
              EXISTS (SELECT FROM pg_stat_activity
                       WHERE datname = current_database() AND application_name = 'mailroom') AS others`,
          [AdvisoryLock.Migrations],
        )
      ).rows,
    );
    if (!rows[0]?.locked || rows[0].others) {
      throw new BackupError(
        'Mailroom, or another restore, is running on this database: stop it, and restore then.',
      );
    }
  }

  private async hasTable(table: string): Promise<boolean> {
    const rows = typedRows(
      { found: column.boolean },
      (await this.client.query('SELECT to_regclass($1) IS NOT NULL AS found', [quoteName(table)])).rows,
    );
    return rows[0]?.found ?? false;
  }

  private async hasColumn(table: string, name: string): Promise<boolean> {
    const { rowCount } = await this.client.query(
      'SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2 AND NOT attisdropped',
      [quoteName(table), name],
    );
    return (rowCount ?? 0) > 0;
  }

  private async listApplied(): Promise<string[]> {
    if (!(await this.hasTable('migrations'))) return [];
    const rows = typedRows(
      { name: column.text },
      (await this.client.query('SELECT name FROM migrations ORDER BY id')).rows,
    );
    return rows.map(({ name }) => name);
  }

  private async listReferences(): Promise<Reference[]> {
    const rows = typedRows(
      REFERENCE_ROW,
      (
        await this.client.query(
          `SELECT c.relname::text AS "table", t.relname::text AS target
         FROM pg_constraint f JOIN pg_class c ON c.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid
        WHERE f.contype = 'f' AND c.relnamespace = current_schema()::regnamespace`,
        )
      ).rows,
    );
    return rows;
  }

  /** Refuses tables that are not Mailroom's: a manipulated set must not reach the server's own catalogs. */
  private async refuseForeignTables(names: readonly string[]): Promise<void> {
    const rows = typedRows(
      { name: column.text },
      (
        await this.client.query(
          'SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema()',
        )
      ).rows,
    );
    const own = new Set(rows.map(({ name }) => name));
    const foreign = names.find((name) => !own.has(name));
    if (foreign !== undefined) throw new BackupDamaged(`Mailroom has no table ${JSON.stringify(foreign)}.`);
  }

  /** Refuses sequences of tables that are not Mailroom's: other uses of the database keep theirs. */
  private async refuseForeignSequences(names: readonly string[]): Promise<void> {
    const rows = typedRows(
      { name: column.text },
      (
        await this.client.query(
          `SELECT s.relname::text AS name FROM pg_class s
             JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype IN ('a', 'i')
             JOIN pg_class t ON t.oid = d.refobjid
            WHERE s.relkind = 'S' AND s.relnamespace = current_schema()::regnamespace AND t.relnamespace = s.relnamespace`,
        )
      ).rows,
    );
    const own = new Set(rows.map(({ name }) => name));
    const foreign = names.find((name) => !own.has(name));
    if (foreign !== undefined)
      throw new BackupDamaged(`Mailroom has no sequence ${JSON.stringify(foreign)}.`);
  }

  private async loadTable(table: DumpedTable, file: string): Promise<void> {
    const columns = table.columns.map(quoteName).join(', ');
    const copy = this.client.query(copyFrom(`COPY ${quoteName(table.table)} (${columns}) FROM STDIN`));
    await pipeline(readGzip(file), copy);
    if (copy.rowCount !== table.rows) {
      throw new BackupDamaged(`${table.file} has ${copy.rowCount} rows instead of ${table.rows}.`);
    }
  }

  private async endJobs(): Promise<void> {
    await this.client.query(
      `UPDATE jobs SET
         status = CASE WHEN status = 'cancelled' THEN status ELSE 'failed' END,
         error = CASE WHEN status = 'cancelled' THEN error ELSE $1 END,
         error_code = CASE WHEN status = 'cancelled' THEN error_code ELSE $2 END,
         result = jsonb_build_object('failures', failures), idempotency_key = NULL,
         completed_at = clock_timestamp(), updated_at = clock_timestamp()
       WHERE completed_at IS NULL`,
      [INTERRUPTED.detail, INTERRUPTED.code],
    );
  }

  /** Deletes links that set passwords: backups of earlier versions have them. */
  private async deletePasswordLinks(): Promise<void> {
    for (const table of ['invitations', 'password_resets'])
      if (await this.hasTable(table)) await this.client.query(`DELETE FROM ${quoteName(table)}`);
  }

  /** Clears secrets sealed with a lost key: users connect mailboxes and object stores again. */
  private async dropSecrets(): Promise<LostSecrets> {
    const mailboxes = await this.client.query(
      `UPDATE mailbox_accounts SET sealed_credentials = NULL, status = 'needs_reauth'
        WHERE sealed_credentials IS NOT NULL`,
    );
    const stores = (await this.hasTable('storage_configurations'))
      ? await this.client.query(`DELETE FROM storage_configurations WHERE sealed_credentials IS NOT NULL`)
      : { rowCount: 0 };
    // Hashes made with the old key cannot be compared with those of new mails.
    if (await this.hasColumn('archived_mails', 'content_mac')) {
      await this.client.query('UPDATE archived_mails SET content_mac = NULL WHERE content_mac IS NOT NULL');
    }
    const webhooks = (await this.hasTable('webhooks'))
      ? typedRows(COUNT_ROW, (await this.client.query('SELECT count(*)::int AS count FROM webhooks')).rows)
      : [];
    return {
      mailboxes: mailboxes.rowCount ?? 0,
      stores: stores.rowCount ?? 0,
      webhooks: webhooks[0]?.count ?? 0,
    };
  }

  private async withMigrations<T>(
    migrations: readonly Type<MigrationInterface>[],
    work: (dataSource: DataSource) => Promise<T>,
  ): Promise<T> {
    const options = dataSourceOptions(this.url, { entities: [], migrations }, 2);
    // No time limits: an index over millions of mails takes long.
    const dataSource = await new DataSource({ ...options, extra: {} }).initialize();
    try {
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  }
}
