import type { DataSource, QueryRunner } from 'typeorm';
import { waitFor } from './wait';

/** Advisory locks of the service have other numbers. */
const LOCK = 714_003;

/** Holds up statements on some rows of a table, whichever process they come from, until the test lets them on. */
export class StatementGate {
  private holder: QueryRunner | undefined;
  private table = '';

  constructor(private readonly dataSource: DataSource) {}

  /** @param condition in SQL, of NEW and, for an update, OLD */
  async close(table: string, event: 'INSERT' | 'UPDATE', condition: string): Promise<void> {
    await this.open();
    this.table = table;
    this.holder = this.dataSource.createQueryRunner();
    await this.holder.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await this.holder.query(
      `CREATE OR REPLACE FUNCTION statement_gate() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN NEW; END $$`,
    );
    await this.holder.query(
      `CREATE TRIGGER statement_gate BEFORE ${event} ON ${table} FOR EACH ROW WHEN (${condition})
         EXECUTE FUNCTION statement_gate()`,
    );
  }

  /** Resolves when a statement is held up. */
  async reached(): Promise<void> {
    await waitFor('a statement at the gate', async () => (await this.waiting()).length > 0);
  }

  /**
   * Lets statements on. Those of a process that has been killed go nowhere: PostgreSQL would carry them out, as it has
   * not heard of its end.
   */
  async open({ drop = false } = {}): Promise<void> {
    if (!this.holder) return;
    if (drop) await this.terminateWaiting();
    await this.holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    await this.holder.query(`DROP TRIGGER statement_gate ON ${this.table}`);
    await this.holder.release();
    this.holder = undefined;
  }

  private async terminateWaiting(): Promise<void> {
    for (const { pid } of await this.waiting())
      await this.dataSource.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
  }

  private waiting(): Promise<{ pid: number }[]> {
    return this.dataSource.query(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [LOCK],
    );
  }
}
